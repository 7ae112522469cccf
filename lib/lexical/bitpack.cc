#include "lexical/bitpack.h"

#include <array>
#include <cstring>
#include <utility>

namespace ragline {

namespace {

constexpr int kLanes = 4;

// One instantiation for each width, so that every shift is a constant and the loops unroll.
template <int kBits>
void unpack_lanes(const char* in, std::uint32_t* out) {
  if constexpr (kBits == 0) {
    std::memset(out, 0, 128 * sizeof *out);
  } else {
    constexpr std::uint32_t kMask = kBits == 32 ? ~0u : (1u << (kBits & 31)) - 1;
    std::uint32_t words[kBits][kLanes];
    std::memcpy(words, in, sizeof words);
    for (int row = 0; row < 32; ++row) {
      const int bit = row * kBits, word = bit / 32, shift = bit % 32;
      for (int lane = 0; lane < kLanes; ++lane) {
        std::uint32_t value = words[word][lane] >> shift;
        if (shift + kBits > 32) value |= words[word + 1][lane] << (32 - shift);
        out[row * kLanes + lane] = value & kMask;
      }
    }
  }
}

using Unpack = void (*)(const char*, std::uint32_t*);
template <int... kBits>
constexpr std::array<Unpack, sizeof...(kBits)> unpack_table(std::integer_sequence<int, kBits...>) {
  return {&unpack_lanes<kBits>...};
}
constexpr auto kUnpack = unpack_table(std::make_integer_sequence<int, 33>());

}  // namespace

void pack128(const std::uint32_t* in, int bits, std::string& out) {
  std::uint32_t words[32][kLanes] = {};
  for (int row = 0; row < 32; ++row) {
    const int bit = row * bits, word = bit / 32, shift = bit % 32;
    for (int lane = 0; lane < kLanes && bits > 0; ++lane) {
      const std::uint32_t value = in[row * kLanes + lane];
      words[word][lane] |= value << shift;
      if (shift + bits > 32) words[word + 1][lane] |= value >> (32 - shift);
    }
  }
  out.append(reinterpret_cast<const char*>(words), static_cast<std::size_t>(bits) * 16);
}

void unpack128(const char* in, int bits, std::uint32_t* out) { kUnpack[static_cast<std::size_t>(bits)](in, out); }

void pack_run(const std::uint32_t* in, std::size_t count, int bits, std::string& out) {
  std::uint64_t buffer = 0;
  int used = 0;
  for (std::size_t i = 0; i < count; ++i) {
    buffer |= static_cast<std::uint64_t>(in[i]) << used;
    used += bits;
    for (; used >= 8; used -= 8, buffer >>= 8) out += static_cast<char>(buffer);
  }
  if (used > 0) out += static_cast<char>(buffer);
}

void unpack_run(const char* in, std::size_t count, int bits, std::uint32_t* out) {
  const std::uint64_t mask = bits == 0 ? 0 : (std::uint64_t{1} << bits) - 1;
  std::size_t bit = 0;
  for (std::size_t i = 0; i < count; ++i, bit += static_cast<std::size_t>(bits)) {
    std::uint64_t word;
    std::memcpy(&word, in + bit / 8, 8);
    out[i] = static_cast<std::uint32_t>(word >> (bit & 7) & mask);
  }
}

}  // namespace ragline
