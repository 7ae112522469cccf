#include "eval/ranks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ragline {

double tie_tolerance(std::span<const double> d) {
  double largest = 0;
  for (const double value : d) largest = std::max(largest, std::fabs(value));
  return largest * kTieTolerance;
}

std::vector<double> without_zeros(std::span<const double> d) {
  const double tolerance = tie_tolerance(d);
  std::vector<double> out;
  out.reserve(d.size());
  for (const double value : d)
    if (std::fabs(value) > tolerance) out.push_back(value);
  return out;
}

SignedRanks signed_ranks(std::span<const double> d, double tolerance) {
  const std::size_t n = d.size();
  const auto size_of = [&](std::size_t i) { return std::fabs(d[i]); };
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, size_of);
  SignedRanks out;
  out.doubled.resize(n);
  for (std::size_t begin = 0, end; begin < n; begin = end) {
    end = begin + 1;
    while (end < n && size_of(order[end]) - size_of(order[begin]) <= tolerance) ++end;
    const auto rank = static_cast<std::uint32_t>(begin + 1 + end);
    for (std::size_t at = begin; at < end; ++at) {
      out.doubled[order[at]] = rank;
      (d[order[at]] > 0 ? out.plus : out.minus) += rank;
    }
    const auto tied = static_cast<double>(end - begin);
    out.tie_term += tied * tied * tied - tied;
  }
  return out;
}

}  // namespace ragline
