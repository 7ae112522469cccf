#pragma once
#include <cstdint>
#include <span>
#include <vector>

// What the tests and effect sizes that look at the signs and ranks of differences share.
namespace ragline {

// How far apart two differences may be and still count as equal, as a share of the largest.
inline constexpr double kTieTolerance = 1e-12;
// The same in the unit of the differences.
double tie_tolerance(std::span<const double> d);

// The differences that are not 0, in their order.
std::vector<double> without_zeros(std::span<const double> d);

struct SignedRanks {
  std::vector<std::uint32_t> doubled;  // twice the mean rank of |d|, so that ties are whole numbers
  double tie_term = 0;                 // sum of t^3 - t over groups of t ties
  std::uint64_t plus = 0, minus = 0;   // sums of the doubled ranks of positive and negative ones
};
// Of differences without zeros; those within `tolerance` of the smallest of a group are its ties.
SignedRanks signed_ranks(std::span<const double> d, double tolerance);

}  // namespace ragline
