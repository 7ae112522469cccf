#pragma once
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ragline {

// A hash of short strings for tables in memory (not for files): eight bytes a step, folded multiplication (as wyhash does).
inline std::uint64_t word_hash(std::string_view word, std::uint64_t seed) {
  auto mix = [](std::uint64_t a, std::uint64_t b) {
    const std::uint64_t product = (a ^ 0x9E3779B97F4A7C15u) * (b ^ 0xD6E8FEB86659FD93u);
    return product ^ product >> 32;
  };
  std::uint64_t hash = seed + word.size();
  const char* at = word.data();
  std::size_t left = word.size();
  for (; left > 8; left -= 8, at += 8) {
    std::uint64_t part;
    std::memcpy(&part, at, 8);
    hash = mix(hash, part);
  }
  std::uint64_t last = 0;
  std::memcpy(&last, at, left);
  return mix(mix(hash, last), seed + 1);
}

}  // namespace ragline
