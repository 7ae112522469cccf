#pragma once
#include <bit>
#include <cstdint>

// IEEE 754 half precision ("float16"), for rows kept in two bytes a value. No hardware is asked
// for: only rows that are rescored are ever converted.
namespace ragline {

// Rounds to nearest, ties to even; beyond 65504 to infinity. NaN stays NaN.
inline std::uint16_t to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) return static_cast<std::uint16_t>(sign | 0x7E00);
  if (magnitude >= 0x47800000) return static_cast<std::uint16_t>(sign | 0x7C00);
  if (magnitude < 0x38800000) {
    // Below the smallest normal half: adding 0.5 lets the float unit do the rounding at the right
    // bit.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3F000000));
  }
  const std::uint32_t odd = magnitude >> 13 & 1;
  return static_cast<std::uint16_t>(sign | (magnitude - 0x38000000 + 0xFFF + odd) >> 13);
}

// Exact.
inline float from_half(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16, magnitude = half & 0x7FFFu;
  if (magnitude >= 0x7C00)
    return std::bit_cast<float>(sign | 0x7F800000 | (magnitude & 0x3FF) << 13);
  // The exponent's bias differs by 112; multiplying handles subnormal halves as well.
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(scaled));
}

}  // namespace ragline
