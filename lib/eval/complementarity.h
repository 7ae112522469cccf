#pragma once
#include <cstddef>
#include <span>

// What two runs find together. "A is better than B" and "B finds what A does not" are often both
// true, and the second is the argument for a hybrid.
namespace ragline {

struct Complementarity {
  // Queries on which a run succeeds, its score reaching the threshold.
  std::size_t both = 0, only_a = 0, only_b = 0, neither = 0;
  std::size_t queries() const { return both + only_a + only_b + neither; }
  // The share of queries on which at least one succeeds: no fusion that picks per query does
  // better.
  double union_share = 0;
  // Mean of the better score of the two: the same ceiling for graded measures.
  double best_of_two = 0;
  // Correlation of the two successes (the phi coefficient of the 2x2 table), -1 to 1; 0 when a run
  // succeeds always or never. The lower, the better they complement each other.
  double phi = 0;
  bool operator==(const Complementarity&) const = default;
};

// Scores of the same queries in the same order; success is score >= threshold.
Complementarity complementarity(std::span<const double> a, std::span<const double> b,
                                double threshold);

}  // namespace ragline
