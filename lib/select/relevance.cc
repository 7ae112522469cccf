#include "select/relevance.h"

#include <algorithm>
#include <cmath>

namespace ragline {

std::vector<double> z_scores(std::span<const double> scores) {
  std::vector<double> out(scores.begin(), scores.end());
  if (out.empty()) return out;
  // Divided by the largest first: squares of scores near the end of a double's range stay finite.
  double largest = 0, mean = 0, variance = 0;
  for (const double score : out) largest = std::max(largest, std::abs(score));
  if (largest == 0) return out;
  const auto count = static_cast<double>(out.size());
  for (double& score : out) {
    score /= largest;
    mean += score / count;
  }
  for (double& score : out) {
    score -= mean;
    variance += score * score / count;
  }
  // Equal scores whose mean was rounded are equal still.
  const double deviation = variance > 1e-28 ? std::sqrt(variance) : 0;
  for (double& score : out) score = deviation > 0 ? score / deviation : 0;
  return out;
}

std::vector<double> unit_scores(std::span<const double> scores) {
  std::vector<double> out(scores.begin(), scores.end());
  if (out.empty()) return out;
  const auto [low, high] = std::ranges::minmax(out);
  const double range = high / 2 - low / 2;  // halves: the difference itself may overflow
  for (double& score : out) score = range > 0 ? (score / 2 - low / 2) / range : 1;
  return out;
}

}  // namespace ragline
