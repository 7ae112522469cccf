#include "eval/evidence_input.h"

#include <unordered_set>

#include "core/text.h"
#include "eval/fields.h"
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

Status take_row(std::string_view row, Contexts& out, std::unordered_set<std::string>& whole) {
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
  if (!whole.insert(query).second)
    return fail(ErrorKind::kData, cat("query '", query, "' has two contexts: keep one"));
  std::vector<Passage>& passages = out[query];
  passages.clear();
  RAGLINE_TRY(const auto values, json_elements(evidence->raw));
  for (const std::string_view value : values) {
    RAGLINE_TRY(passages.emplace_back(), read_passage(value));
  }
  return {};
}

}  // namespace

Result<Contexts> parse_contexts(const InputText& text) {
  Contexts out;
  std::unordered_set<std::string> whole;
  LineWalker lines(text.bytes());
  std::string_view line;
  while (lines.next(line)) {
    const std::string_view row = trim(line);
    if (row.empty()) continue;
    if (auto status = take_row(row, out, whole); !status)
      return std::unexpected(text.error_at(row.data(), status.error().message));
  }
  if (out.empty())
    return fail(ErrorKind::kData,
                cat(text.name(), ": no evidence in it: give context or hit records"));
  return out;
}

Result<Contexts> read_contexts(const std::string& path) {
  RAGLINE_TRY(const InputText text, InputText::open(path));
  return parse_contexts(text);
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
