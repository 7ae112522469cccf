#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/random.h"
#include "select/dot.h"
#include "select/pool.h"

// Random pools for tests: clustered vectors of any length, scores that descend.
namespace ragline::testing {

struct RandomPool {
  std::vector<float> vectors;
  std::vector<double> scores;
  Pool pool;

  RandomPool(std::uint64_t seed, std::size_t size, std::size_t dimensions, double noise = 0.7) {
    Random random(seed);
    const std::size_t clusters = size / 4 + 1;
    std::vector<double> centres(clusters * dimensions);
    for (double& value : centres) value = random.normal();
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t cluster = random.below(clusters);
      const double length = 0.5 + random.uniform();
      for (std::size_t d = 0; d < dimensions; ++d)
        vectors.push_back(static_cast<float>(
            length * (centres[cluster * dimensions + d] + noise * random.normal())));
    }
    double score = 30;
    for (std::size_t i = 0; i < size; ++i) scores.push_back(score -= random.uniform());
    pool = {.size = size, .dimensions = dimensions, .vectors = vectors, .relevance = scores};
  }
};

inline bool near(double a, double b, double relative = 1e-6) {
  return std::abs(a - b) <= relative * std::max({1.0, std::abs(a), std::abs(b)});
}

using Matrix = std::vector<std::vector<double>>;

// The kernel without relevance, in double: cosines, or products where the pool keeps lengths.
inline Matrix kernel_of(const Pool& pool, double jitter, bool constant = false) {
  Matrix out(pool.size, std::vector<double>(pool.size));
  for (std::size_t i = 0; i < pool.size; ++i)
    for (std::size_t j = 0; j < pool.size; ++j) {
      double value = dot(pool.row(i), pool.row(j));
      if (!pool.keep_lengths)
        value /= std::sqrt(dot(pool.row(i), pool.row(i)) * dot(pool.row(j), pool.row(j)));
      out[i][j] = (constant ? (value + 1) / 2 : value) + (i == j ? jitter : 0);
    }
  return out;
}

// log det of the rows and columns `set`, by LU with pivoting; -1e9 for a singular one.
inline double log_det(const Matrix& matrix, const std::vector<std::uint32_t>& set) {
  const std::size_t n = set.size();
  Matrix a(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) a[i][j] = matrix[set[i]][set[j]];
  double out = 0;
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < n; ++r)
      if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
    std::swap(a[c], a[pivot]);
    if (std::abs(a[c][c]) < 1e-14) return -1e9;
    out += std::log(std::abs(a[c][c]));
    for (std::size_t r = c + 1; r < n; ++r) {
      const double factor = a[r][c] / a[c][c];
      for (std::size_t k = c; k < n; ++k) a[r][k] -= factor * a[c][k];
    }
  }
  return out;
}

// Greedy choice by a set function, evaluated anew for every candidate: value(set with i). Ties as
// ours: within 1e-6 of the best gain the lowest index.
template <class Value>
std::vector<std::uint32_t> plain_greedy(std::size_t size, std::size_t k, Value value) {
  std::vector<std::uint32_t> chosen;
  while (chosen.size() < std::min(k, size)) {
    std::vector<double> values(size, -1e300);
    double best = -1e300;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (std::ranges::find(chosen, i) != chosen.end()) continue;
      auto with = chosen;
      with.push_back(i);
      values[i] = value(with);
      best = std::max(best, values[i]);
    }
    std::uint32_t pick = 0;
    while (values[pick] < best - 1e-7) ++pick;
    chosen.push_back(pick);
  }
  return chosen;
}

}  // namespace ragline::testing
