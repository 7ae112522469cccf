#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "record/field.h"
#include "record/object.h"

// Places in documents, as citations, contexts and gold evidence name them.
namespace ragline {

struct EvidenceSpan {
  std::string document_id;  // or the path, where only that is known
  std::optional<ByteSpan> bytes;
  std::optional<LineSpan> lines;
  std::optional<std::uint64_t> hash;  // 48 bits, of exactly those bytes (record/evidence.h)
  std::string evidence_id;            // as it was written; empty where there was none
};

// One JSON value: an evidence id, an id of another system (the whole document then), or an object
// with any of evidence_id, document_id, path, lines, bytes. kData with what is missing.
Result<EvidenceSpan> read_evidence_span(std::string_view json);
// The same for a text that is no JSON: an evidence id, or the id of a document.
EvidenceSpan span_of_id(std::string_view id);
// The members of an object in hand.
Result<EvidenceSpan> span_of_members(const JsonMembers& members);

// Whether two places share text. Bytes decide where both have them, else lines where both have
// those. A place without either is the whole document. Bytes on one side and lines on the other
// cannot be told: kUnknown, until locate_lines() of corpus_text.h has filled in the lines.
enum class Overlap { kNo, kYes, kUnknown };
Overlap overlap_of(const EvidenceSpan& a, const EvidenceSpan& b);

// A passage that was shown: its place and its text, which may be empty where the record had none.
struct Passage {
  EvidenceSpan span;
  std::string text;
};

}  // namespace ragline
