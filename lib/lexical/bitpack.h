#pragma once
#include <bit>
#include <cstdint>
#include <string>

// Integers in as few bits as the largest of a group needs.
namespace ragline {

inline int bits_needed(std::uint32_t value) { return std::bit_width(value); }

// 128 integers of `bits` bits each (0 to 32) in bits * 16 bytes. The layout is four 32-bit lanes side by side: integer i is number i / 4 of lane
// i % 4, lanes are filled from the low bit up, and word w of the four lanes stands at byte 16 w. Compilers turn the loops over lanes into SIMD
// instructions (Lemire and Boytsov 2015 describe the layout).
void pack128(const std::uint32_t* in, int bits, std::string& out);
void unpack128(const char* in, int bits, std::uint32_t* out);

// `count` integers of `bits` bits each, back to back, low bits first, in (count * bits + 7) / 8 bytes.
void pack_run(const std::uint32_t* in, std::size_t count, int bits, std::string& out);
// May read up to 8 bytes past the run, which must be readable.
void unpack_run(const char* in, std::size_t count, int bits, std::uint32_t* out);
inline std::size_t run_bytes(std::size_t count, int bits) { return (count * static_cast<std::size_t>(bits) + 7) / 8; }

}  // namespace ragline
