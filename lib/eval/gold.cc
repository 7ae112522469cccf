#include "eval/gold.h"

#include <algorithm>

#include "core/text.h"
#include "eval/answer_input.h"
#include "eval/json_table.h"
#include "record/object.h"
#include "record/reader.h"

namespace ragline {

namespace {

// MultiHop-RAG's own scorer takes out blanks and newlines on both sides.
std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && (c < '\t' || c > '\r')) out += c;
  return out;
}

Result<GoldPiece> read_piece(std::string_view json) {
  GoldPiece piece;
  if (!json.starts_with('{')) {
    RAGLINE_TRY(piece.span, read_evidence_span(json));
    return piece;
  }
  RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(json));
  std::string fact;
  RAGLINE_CHECK(members.text({"fact"}, fact));
  piece.fact = without_blanks(fact);
  // A fact is looked for in texts; where it stands in the source does not matter then.
  if (!piece.fact.empty()) return piece;
  RAGLINE_TRY(piece.span, span_of_members(members));
  return piece;
}

Result<GoldQuery> read_query(const AnswerCase& row) {
  GoldQuery query;
  query.id = row.query_id;
  RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(row.row));
  if (const Field* list = members.find({"gold_evidence", "evidence_list"})) {
    RAGLINE_TRY(const auto elements, json_elements(list->raw));
    for (const std::string_view element : elements) {
      RAGLINE_TRY(GoldPiece piece, read_piece(element));
      query.pieces.push_back(std::move(piece));
    }
  }
  std::optional<std::uint64_t> hops;
  RAGLINE_CHECK(members.count("required_hops", hops));
  query.hops = static_cast<std::uint32_t>(hops.value_or(query.pieces.size()));
  return query;
}

}  // namespace

HitPlace place_of(const Chunk& chunk) {
  HitPlace place;
  if (!chunk.evidence_id.empty()) place.span = span_of_id(chunk.evidence_id);
  if (!chunk.document_id.empty()) place.span.document_id = chunk.document_id;
  if (place.span.document_id.empty()) place.span.document_id = chunk.path;
  if (chunk.bytes) place.span.bytes = chunk.bytes;
  place.span.lines = chunk.lines;
  place.text = chunk.text;
  return place;
}

bool Gold::is_gold(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != text.npos && text[begin] == '{' && !is_json_table(text);
}

Result<Gold> Gold::parse(const InputText& text, BadRows* bad) {
  RAGLINE_TRY(const std::vector<AnswerCase> cases, parse_cases(text, bad));
  Gold gold;
  for (const AnswerCase& row : cases) {
    auto query = read_query(row);
    if (!query)
      RAGLINE_CHECK(
          BadRows::note(bad, RowFault::kMember, at_line(query.error(), text.name(), row.line)));
    else if (query->pieces.empty())
      ++gold.without_evidence_;
    else
      gold.queries_.push_back(std::move(*query));
  }
  if (gold.queries_.empty())
    return BadRows::stop(
        bad, RowFault::kEmpty,
        {ErrorKind::kData,
         cat(text.name(), ": no case with gold_evidence: give cases that have some")});
  std::ranges::sort(gold.queries_, {}, &GoldQuery::id);
  return gold;
}

std::vector<std::uint32_t> Gold::pieces_in(std::string_view query, const HitPlace& hit) const {
  const auto found = std::ranges::lower_bound(
      queries_, query, {}, [](const GoldQuery& q) -> std::string_view { return q.id; });
  std::vector<std::uint32_t> pieces;
  if (found == queries_.end() || found->id != query) return pieces;
  const std::string text = without_blanks(hit.text);
  for (std::size_t i = 0; i < found->pieces.size(); ++i) {
    const GoldPiece& piece = found->pieces[i];
    const bool holds = piece.fact.empty() ? overlap_of(piece.span, hit.span) == Overlap::kYes
                                          : text.find(piece.fact) != text.npos;
    if (holds) pieces.push_back(static_cast<std::uint32_t>(i));
  }
  return pieces;
}

}  // namespace ragline
