#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Looking for bytes inside JSON strings, eight at a time in plain C++: no intrinsics, so the same
// on every CPU.
//
// A "mask" has the lowest set bit in the byte of the first hit in memory order; bits above it may
// be false, because the subtractions below borrow upwards. Zero is no hit.
namespace ragline {

inline constexpr std::uint64_t kEachByte = 0x0101010101010101u;
inline constexpr std::uint64_t kHighBits = 0x80 * kEachByte;

// Eight bytes, the first in the lowest bits.
inline std::uint64_t load_word(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = std::byteswap(word);
  return word;
}

inline std::uint64_t mask_equal(std::uint64_t word, char byte) {
  const std::uint64_t difference = word ^ (kEachByte * static_cast<unsigned char>(byte));
  return (difference - kEachByte) & ~difference & kHighBits;
}

// What cannot stand in a JSON string as it is: '"', '\\' and control characters.
inline std::uint64_t mask_special(std::uint64_t word) {
  return ((word - kEachByte * 0x20) & ~word & kHighBits) | mask_equal(word, '"') |
         mask_equal(word, '\\');
}
inline bool is_special(char byte) {
  return static_cast<unsigned char>(byte) < 0x20 || byte == '"' || byte == '\\';
}

// Index of a mask's first hit, 0 to 7.
inline std::ptrdiff_t first_hit(std::uint64_t mask) { return std::countr_zero(mask) / 8; }

}  // namespace ragline
