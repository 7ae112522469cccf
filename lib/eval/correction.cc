#include "eval/correction.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace ragline {

namespace {

std::vector<std::size_t> by_size(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  return order;
}

}  // namespace

// The i-th smallest is multiplied by how many are not smaller, and never falls below a smaller one.
std::vector<double> holm(std::span<const double> p) {
  std::vector<double> out(p.size());
  double most = 0;
  std::size_t left = p.size();
  for (const std::size_t i : by_size(p)) {
    most = std::max(most, std::min(1.0, p[i] * static_cast<double>(left--)));
    out[i] = most;
  }
  return out;
}

// The i-th smallest is multiplied by n / i, and never rises above a larger one.
std::vector<double> benjamini_hochberg(std::span<const double> p) {
  std::vector<double> out(p.size());
  const std::vector<std::size_t> order = by_size(p);
  const auto n = static_cast<double>(p.size());
  double least = 1;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t i = order[rank - 1];
    least = std::min(least, p[i] * (n / static_cast<double>(rank)));
    out[i] = least;
  }
  return out;
}

}  // namespace ragline
