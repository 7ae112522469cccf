#pragma once
#include <cstddef>
#include <vector>

#include "eval/ranking.h"

// The groups of equal scores that a ranking is made of, for means over all orders of tied hits.
namespace ragline {

// Calls visit(begin, end) for each group in order, ranks from 0 and half-open, single hits too,
// until it returns false.
template <class Visit>
void each_tie_group(const Ranking& r, Visit visit) {
  auto tie = r.ties.begin();
  for (std::size_t begin = 0; begin < r.grades.size();) {
    std::size_t end = begin + 1;
    if (tie != r.ties.end() && tie->begin == begin) end = (tie++)->end;
    if (!visit(begin, end)) return;
    begin = end;
  }
}

// The chances that 0, 1, 2, ... of m marked hits are among the first `looked` of n hits in random
// order (the hypergeometric distribution), up to min(looked, m). They add up to 1.
// Requires m and looked <= n. Cost O(min(looked, m)).
std::vector<double> count_chances(std::size_t n, std::size_t m, std::size_t looked);

}  // namespace ragline
