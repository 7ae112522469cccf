#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"
#include "record/record.h"

// Evidence ids: one name for a span of text in every tool.
//
//   document_id#begin-end@hash      src/order.cc#1204-1892@9f2c51aa03de
//
// begin and end are byte offsets into the document's canonical text; hash is the first 12 hex
// digits (the high 48 bits) of XXH3-64 of exactly those bytes. Parsed from the right, so a
// document_id may hold '#' and '@'.
namespace ragline {

struct EvidenceId {
  std::string document_id;
  ByteSpan bytes;
  std::uint64_t hash = 0;  // 48 bits
  bool operator==(const EvidenceId&) const = default;
};

// The 48-bit hash of a span's bytes.
std::uint64_t evidence_hash(std::string_view span);
std::string format_evidence_id(std::string_view document_id, ByteSpan bytes, std::uint64_t hash);
// kData with what is wrong and the right form.
Result<EvidenceId> parse_evidence_id(std::string_view text);

}  // namespace ragline
