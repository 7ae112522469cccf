#include "eval/evidence_input.h"

#include <unordered_set>

#include "core/text.h"
#include "eval/json_rows.h"
#include "record/object.h"

namespace ragline {

namespace {

Result<Passage> read_passage(std::string_view json) {
  Passage out;
  // A string is a text, unless it is an evidence id.
  if (auto scalar = json_scalar_text(json)) {
    out.span = span_of_id(*scalar);
    if (!out.span.bytes) {
      out.text = std::move(*scalar);
      out.span = {};
    }
    return out;
  }
  RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(json));
  RAGLINE_CHECK(members.text({"text", "content", "passage"}, out.text));
  auto span = span_of_members(members);
  if (!span && out.text.empty()) return std::unexpected(span.error());
  if (span) out.span = std::move(*span);
  return out;
}

Status take_row(std::string_view row, Contexts& out, std::unordered_set<std::string>& whole,
                RowFault& fault) {
  RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(row));
  std::string type, query;
  RAGLINE_CHECK(members.text({"type"}, type));
  RAGLINE_CHECK(members.id({"query_id", "id", "_id", "qid"}, query));
  const Field* evidence = members.find({"evidence", "contexts", "passages"});
  if (type == "hit") {
    RAGLINE_TRY(Passage passage, read_passage(row));
    if (!whole.contains(query)) out[query].push_back(std::move(passage));
    return {};
  }
  if (!evidence || (type != "context" && type != "answer" && !type.empty())) return {};
  if (query.empty())
    return fail(ErrorKind::kData, "no query_id: give each context the id of its query");
  std::vector<Passage> passages;
  RAGLINE_TRY(const auto values, json_elements(evidence->raw));
  for (const std::string_view value : values) {
    RAGLINE_TRY(passages.emplace_back(), read_passage(value));
  }
  if (!whole.insert(query).second) {
    fault = RowFault::kDuplicate;
    return fail(ErrorKind::kData, cat("query '", query, "' has two contexts: keep one"));
  }
  out[query] = std::move(passages);
  return {};
}

}  // namespace

Result<Contexts> parse_contexts(const InputText& text, BadRows* bad) {
  Contexts out;
  std::unordered_set<std::string> whole;
  RAGLINE_CHECK(each_json_row(text, bad, [&](std::string_view row, RowFault& fault) {
    return take_row(row, out, whole, fault);
  }));
  if (out.empty())
    return BadRows::stop(bad, RowFault::kEmpty,
                         {ErrorKind::kData, cat(text.name(),
                                                ": no evidence in it: give context or hit "
                                                "records")});
  return out;
}

Result<Contexts> read_contexts(const std::string& path, BadRows* bad) {
  RAGLINE_TRY(const InputText text, InputText::open(path));
  return parse_contexts(text, bad);
}

Result<std::vector<EvidenceSpan>> gold_evidence_of(std::string_view row) {
  std::vector<EvidenceSpan> out;
  if (row.empty()) return out;
  RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(row));
  const Field* gold = members.find("gold_evidence");
  if (!gold) return out;
  RAGLINE_TRY(const auto values, json_elements(gold->raw));
  for (const std::string_view value : values) {
    RAGLINE_TRY(out.emplace_back(), read_evidence_span(value));
  }
  return out;
}

}  // namespace ragline
