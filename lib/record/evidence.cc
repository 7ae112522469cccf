#include "record/evidence.h"

#include <algorithm>
#include <charconv>

#include "core/hash.h"
#include "core/text.h"

namespace ragline {

namespace {

constexpr std::size_t kHashDigits = 12;
constexpr std::uint64_t kHashMask = (std::uint64_t{1} << (4 * kHashDigits)) - 1;

// Digits only and no leading zeros, so that one span has one name.
bool read_offset(std::string_view text, std::uint64_t& value) {
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool read_hash(std::string_view text, std::uint64_t& value) {
  const bool plain = text.size() == kHashDigits && std::ranges::all_of(text, [](char c) {
                       return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                     });
  if (plain) std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return plain;
}

std::unexpected<Error> malformed(std::string_view text, std::string_view what) {
  return fail(ErrorKind::kData, cat("evidence id '", text, "' ", what,
                                    ": give document_id#begin-end@hash, as the records spell it"));
}

}  // namespace

std::uint64_t evidence_hash(std::string_view span) { return hash64(span) >> 16; }

std::string format_evidence_id(std::string_view document_id, ByteSpan bytes, std::uint64_t hash) {
  return cat(document_id, '#', bytes.begin, '-', bytes.end, '@',
             hex(hash & kHashMask, kHashDigits));
}

Result<EvidenceId> parse_evidence_id(std::string_view text) {
  EvidenceId id;
  const std::size_t at_sign = text.rfind('@');
  if (at_sign == text.npos) return malformed(text, "has no '@hash'");
  if (!read_hash(text.substr(at_sign + 1), id.hash))
    return malformed(text, "has no 12 lower-case hex digits behind its last '@'");
  const std::string_view front = text.substr(0, at_sign);
  const std::size_t number_sign = front.rfind('#');
  if (number_sign == front.npos) return malformed(text, "has no '#begin-end'");
  const std::string_view span = front.substr(number_sign + 1);
  const std::size_t dash = span.find('-');
  if (dash == span.npos || !read_offset(span.substr(0, dash), id.bytes.begin) ||
      !read_offset(span.substr(dash + 1), id.bytes.end))
    return malformed(text, "has no two byte offsets between '#' and '@'");
  if (id.bytes.begin > id.bytes.end) return malformed(text, "ends before it begins");
  if (number_sign == 0) return malformed(text, "names no document");
  id.document_id = front.substr(0, number_sign);
  return id;
}

}  // namespace ragline
