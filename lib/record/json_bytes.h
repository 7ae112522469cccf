#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

// The bytes of a JSON string that need a look, found eight at a time in plain C++ (no intrinsics, so it is the same on
// every CPU).
namespace ragline {

inline constexpr std::uint64_t kHighBits = 0x8080808080808080u;

// A word whose lowest set bit marks the first byte of `word`, in memory order, that is '"', '\\' or a control character;
// with kNonAscii also the first byte above 0x7F. Zero when there is none. Bits above the lowest may be false: the
// subtractions below borrow upwards only.
template <bool kNonAscii>
inline std::uint64_t special_bytes(std::uint64_t word) {
  if constexpr (std::endian::native == std::endian::big) word = std::byteswap(word);
  constexpr std::uint64_t kOnes = 0x0101010101010101u;
  const std::uint64_t quote = word ^ (kOnes * '"');
  const std::uint64_t backslash = word ^ (kOnes * '\\');
  const std::uint64_t found = (((word - kOnes * 0x20) & ~word) | ((quote - kOnes) & ~quote) |
                               ((backslash - kOnes) & ~backslash));
  return (kNonAscii ? (found | word) : found) & kHighBits;
}

inline std::uint64_t load_word(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// The first byte in [at, end) that special_bytes would mark, or end.
template <bool kNonAscii>
inline const char* find_special(const char* at, const char* end) {
  for (; end - at >= 8; at += 8)
    if (const std::uint64_t found = special_bytes<kNonAscii>(load_word(at)))
      return at + std::countr_zero(found) / 8;
  for (; at < end; ++at) {
    const auto byte = static_cast<unsigned char>(*at);
    if (byte < 0x20 || byte == '"' || byte == '\\' || (kNonAscii && byte >= 0x80)) break;
  }
  return at;
}

}  // namespace ragline
