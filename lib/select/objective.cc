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

// Minoux's lazy greedy (1978): a candidate whose bound is not the largest need not be looked at.
class LazyQueue {
 public:
  LazyQueue(Objective& objective, std::size_t size) : objective_(objective) {
    for (std::uint32_t i = 0; i < size; ++i) entries_.push_back({objective.value(i), i});
    std::make_heap(entries_.begin(), entries_.end());
  }

  std::uint32_t next(const Allowance& allowance) {
    // Fresh candidates as good as the best of them: the first by rank is taken, the others go back.
    std::vector<Entry> equal;
    double best = -std::numeric_limits<double>::infinity();
    while (!entries_.empty() && (equal.empty() || entries_[0].bound >= objective_.tied(best))) {
      Entry entry = pop();
      if (!allowance.allows(entry.candidate) || std::isinf(entry.bound)) continue;
      if (objective_.refine(entry.candidate)) {
        push({objective_.value(entry.candidate), entry.candidate});
        continue;
      }
      best = std::max(best, entry.bound);
      equal.push_back(entry);
    }
    std::uint32_t chosen = kNone;
    for (const Entry& entry : equal)
      if (entry.bound >= objective_.tied(best)) chosen = std::min(chosen, entry.candidate);
    for (const Entry& entry : equal)
      if (entry.candidate != chosen) push(entry);
    return chosen;
  }

 private:
  struct Entry {
    double bound;
    std::uint32_t candidate;
    bool operator<(const Entry& other) const { return bound < other.bound; }
  };
  Entry pop() {
    std::pop_heap(entries_.begin(), entries_.end());
    const Entry out = entries_.back();
    entries_.pop_back();
    return out;
  }
  void push(const Entry& entry) {
    entries_.push_back(entry);
    std::push_heap(entries_.begin(), entries_.end());
  }

  Objective& objective_;
  std::vector<Entry> entries_;  // a heap
};

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

  if (objective.lazy()) {
    LazyQueue queue(objective, size);
    while (picks.size() < limits.count) {
      const std::uint32_t best = queue.next(allowance);
      if (best == kNone) break;
      take(best);
    }
    return picks;
  }

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
