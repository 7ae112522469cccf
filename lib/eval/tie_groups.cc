#include "eval/tie_groups.h"

#include <algorithm>
#include <numeric>

namespace ragline {

Ranking judged_part(const Ranking& r) {
  Ranking out;
  out.ideal = r.ideal;
  out.level = r.level;
  out.relevant = r.relevant;
  out.relevant_retrieved = r.relevant_retrieved;
  each_tie_group(r, [&](std::size_t begin, std::size_t end) {
    const std::size_t first = out.grades.size();
    for (std::size_t i = begin; i < end; ++i)
      if (r.grades[i] >= 0) out.grades.push_back(r.grades[i]);
    if (out.grades.size() > first + 1)
      out.ties.push_back(
          {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(out.grades.size())});
    return true;
  });
  return out;
}

// The ratio of neighbouring chances is simple; they are followed from the most likely number, whose
// chance cannot underflow, to both sides, and brought to a sum of 1.
CountChances count_chances(std::size_t n, std::size_t m, std::size_t looked) {
  const std::size_t least = looked + m > n ? looked + m - n : 0, most = std::min(looked, m);
  const auto up = [&](std::size_t j) {  // from j to j + 1
    return static_cast<double>(m - j) * static_cast<double>(looked - j) /
           (static_cast<double>(j + 1) * static_cast<double>(n + j + 1 - m - looked));
  };
  const auto likely = static_cast<std::size_t>(
      static_cast<double>(m + 1) * static_cast<double>(looked + 1) / static_cast<double>(n + 2));
  const std::size_t top = std::clamp(likely, least, most);
  CountChances out{top, {}};
  double chance = 1;
  while (out.first > least && chance > kNegligible) {
    out.chances.push_back(chance);
    chance /= up(--out.first);
  }
  out.chances.push_back(chance);
  std::ranges::reverse(out.chances);
  chance = 1;
  for (std::size_t j = top; j < most && chance > kNegligible; ++j)
    out.chances.push_back(chance *= up(j));
  const double sum = std::accumulate(out.chances.begin(), out.chances.end(), 0.0);
  for (double& each : out.chances) each /= sum;
  return out;
}

}  // namespace ragline
