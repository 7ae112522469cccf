#pragma once
#include <cstddef>
#include <span>

// How large a difference is, which a p value does not say: over d[i] = a[i] - b[i], one a query.
namespace ragline {

struct Effect {
  double mean = 0;  // of the differences
  // Cohen's d for paired samples: mean / standard deviation of the differences. 0 without a spread.
  double cohen_d = 0;
  // Matched-pairs rank-biserial correlation (Kerby 2014), -1 to 1: the share of the rank sum (of
  // |d|, zeros dropped, ties at their mean rank) that speaks for a, minus the share for b.
  double rank_biserial = 0;
  std::size_t wins = 0, ties = 0, losses = 0;  // of a; ties as significance.h has them
  bool operator==(const Effect&) const = default;
};
Effect effect_of(std::span<const double> d);

// The smallest mean difference that a paired t test at level `alpha` finds with probability
// `power`, when there are n queries and the differences spread with `deviation`:
//   (t[1 - alpha/2, n - 1] + t[power, n - 1]) * deviation / sqrt(n)
// (Sakai, "Laboratory Experiments in Information Retrieval", 2018, chapter 6, with Student's
// quantiles for the noncentral ones). Smaller differences need more queries. 0 below two.
double minimum_detectable_difference(std::size_t n, double deviation, double alpha = 0.05,
                                     double power = 0.8);

}  // namespace ragline
