#include "select/objective.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ragline {

namespace {

// What may still be chosen.
class Allowance {
 public:
  Allowance(std::size_t size, const Limits& limits)
      : limits_(limits), open_(size, true), left_(limits.budget), counts_(limits.caps.size()) {
    for (std::size_t c = 0; c < counts_.size(); ++c) {
      const auto& group = limits.caps[c].group;
      counts_[c].resize(group.empty() ? 0 : *std::ranges::max_element(group) + std::size_t{1});
    }
  }

  bool fits(std::uint32_t i) const { return limits_.costs.empty() || limits_.costs[i] <= left_; }
  bool allows(std::uint32_t i) const {
    if (!open_[i] || !fits(i)) return false;
    for (std::size_t c = 0; c < counts_.size(); ++c)
      if (counts_[c][limits_.caps[c].group[i]] >= limits_.caps[c].most) return false;
    return true;
  }
  void take(std::uint32_t i) {
    open_[i] = false;
    if (!limits_.costs.empty()) left_ -= limits_.costs[i];
    for (std::size_t c = 0; c < counts_.size(); ++c) ++counts_[c][limits_.caps[c].group[i]];
  }

 private:
  const Limits& limits_;
  std::vector<char> open_;
  std::uint64_t left_;
  std::vector<std::vector<std::uint32_t>> counts_;  // by cap and group
};

constexpr std::uint32_t kNone = UINT32_MAX;

std::uint32_t best_of(Objective& objective, const std::vector<std::uint32_t>& open) {
  const std::span<const double> values = objective.values();
  double best = -std::numeric_limits<double>::infinity();
  for (const std::uint32_t i : open) best = std::max(best, values[i]);
  if (std::isinf(best) && best < 0) return kNone;
  const double least = objective.tied(best);
  for (const std::uint32_t i : open)
    if (values[i] >= least) return i;
  return kNone;
}

}  // namespace

double Objective::tied(double best) const { return best - kTie * std::max(1e-6, std::abs(best)); }

std::vector<Pick> choose_greedily(Objective& objective, std::size_t size, const Limits& limits) {
  std::vector<Pick> picks;
  Allowance allowance(size, limits);
  const auto take = [&](std::uint32_t i) {
    picks.push_back({i, objective.gain(i)});
    allowance.take(i);
    objective.add(i);
  };
  for (const std::uint32_t i : limits.required)
    if (picks.size() < limits.count && allowance.fits(i)) take(i);

  // Caps, budget and choices only ever close candidates, so what is closed once stays out.
  std::vector<std::uint32_t> open(size);
  for (std::uint32_t i = 0; i < size; ++i) open[i] = i;
  while (picks.size() < limits.count) {
    std::erase_if(open, [&](std::uint32_t i) { return !allowance.allows(i); });
    std::uint32_t best = best_of(objective, open);
    while (best != kNone && objective.refine(best)) best = best_of(objective, open);
    if (best == kNone) break;
    take(best);
  }
  return picks;
}

}  // namespace ragline
