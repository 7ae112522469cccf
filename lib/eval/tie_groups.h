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

// The ranking without its unjudged hits, as judged_only= has it; its aspects are left out.
Ranking judged_part(const Ranking& r);

// How many of m marked hits are among the first `looked` of n hits in random order (the
// hypergeometric distribution). The chances add up to 1; numbers that are
// less likely than the likeliest by a factor of kNegligible are left out.
// Requires m and looked <= n. Cost: some standard deviations of the number, at most min(looked, m).
inline constexpr double kNegligible = 1e-25;
struct CountChances {
  std::size_t first = 0;
  std::vector<double> chances;  // of first, first + 1, ...

  // The mean of f(j).
  template <class Function>
  double mean(Function f) const {
    double sum = 0;
    for (std::size_t i = 0; i < chances.size(); ++i) sum += chances[i] * f(first + i);
    return sum;
  }
};
CountChances count_chances(std::size_t n, std::size_t m, std::size_t looked);

}  // namespace ragline
