#include "eval/evidence_span.h"

#include <algorithm>

#include "record/evidence.h"

namespace ragline {

EvidenceSpan span_of_id(std::string_view id) {
  EvidenceSpan out;
  out.evidence_id = id;
  if (const auto parsed = parse_evidence_id(id)) {
    out.document_id = parsed->document_id;
    out.bytes = parsed->bytes;
    out.hash = parsed->hash;
  } else {
    out.document_id = id;
  }
  return out;
}

Result<EvidenceSpan> span_of_members(const JsonMembers& members) {
  EvidenceSpan out;
  std::string id;
  RAGLINE_CHECK(members.id({"evidence_id"}, id));
  if (!id.empty()) out = span_of_id(id);
  std::string document;
  RAGLINE_CHECK(members.id({"document_id", "path", "docid"}, document));
  if (out.document_id.empty()) out.document_id = std::move(document);
  if (const Field* lines = members.find("lines")) RAGLINE_CHECK(read_lines(*lines, out.lines));
  if (const Field* bytes = members.find("bytes"); bytes && !out.bytes)
    RAGLINE_CHECK(read_bytes(*bytes, out.bytes));
  if (out.document_id.empty())
    return fail(ErrorKind::kData,
                "evidence without a place: give an evidence_id, or a path and lines");
  return out;
}

Result<EvidenceSpan> read_evidence_span(std::string_view json) {
  if (auto scalar = json_scalar_text(json)) return span_of_id(*scalar);
  RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(json));
  return span_of_members(members);
}

Overlap overlap_of(const EvidenceSpan& a, const EvidenceSpan& b) {
  if (a.document_id != b.document_id) return Overlap::kNo;
  const auto told = [](bool yes) { return yes ? Overlap::kYes : Overlap::kNo; };
  if (a.bytes && b.bytes) {
    if (*a.bytes == *b.bytes) return Overlap::kYes;  // empty spans too
    return told(std::max(a.bytes->begin, b.bytes->begin) < std::min(a.bytes->end, b.bytes->end));
  }
  if (a.lines && b.lines)
    return told(std::max(a.lines->first, b.lines->first) <= std::min(a.lines->last, b.lines->last));
  const bool whole = (!a.bytes && !a.lines) || (!b.bytes && !b.lines);
  return whole ? Overlap::kYes : Overlap::kUnknown;
}

}  // namespace ragline
