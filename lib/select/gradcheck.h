#pragma once
#include <cstdint>
#include <string>
#include <vector>

// Checks the gradients of training against central differences, in double: what proves that the
// loss printed is the loss minimised.
namespace ragline {

struct GradientCheck {
  std::string name;         // "dml gelu normalised": loss, activation, output
  std::size_t entries = 0;  // parameters that were compared
  double worst = 0;         // largest |difference| / max(1e-6, sum of sizes)
};

// All combinations of loss, activation, output and conditioning, on random examples (D = 12, r = 5,
// m = 9, sets of 2 to 4, seven negatives), `entries` random parameters each, weights of quality
// among them. Five-point differences with steps of 3e-4; ReLU is checked away from its bend.
std::vector<GradientCheck> check_gradients(std::size_t entries, std::uint64_t seed);
inline constexpr double kGradientTolerance = 1e-6;

}  // namespace ragline
