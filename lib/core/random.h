#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>

namespace ragline {

// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014):
// one 64-bit state, equal on every machine, good enough for BigCrush. For resampling, not for
// secrets.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // 0 to bound - 1. Requires 0 < bound < 2^32. The multiplication favours some values by at most
  // bound / 2^32, which no resampling of queries can see.
  std::uint32_t below(std::uint64_t bound) {
    return static_cast<std::uint32_t>((next() >> 32) * bound >> 32);
  }

  // At least 0 and below 1, in steps of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  // Standard normal (Box and Muller, the cosine of each pair).
  double normal() {
    const double length = std::sqrt(-2 * std::log(1 - uniform()));
    return length * std::cos(2 * std::numbers::pi * uniform());
  }

  // Where it is, to go on from there later: Random(state()).
  std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_;
};

}  // namespace ragline
