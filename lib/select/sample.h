#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/random.h"
#include "core/result.h"
#include "select/pool.h"

// Sampling from a determinantal point process: sets of candidates, each with a probability
// proportional to det K_S, K = Q (U U^T + jitter I) Q with quality q_i = exp(theta r_i / 2). Greedy
// MAP (objectives.h) seeks the likeliest set; sampling shows how much else is nearly as good.
//
// Exact, after Hough et al. 2006 and Kulesza and Taskar ("Determinantal point processes for machine
// learning", 2012, algorithms 1 and 8): choose eigenvectors - each with probability l/(1+l), or
// exactly k of them by elementary symmetric polynomials - then sample the projection onto them, one
// candidate after the other. The polynomials are kept as logarithms: with 100 candidates they leave
// a double's range (DPPy issues 58 and 80).
//
//   Cost     once O(m^3), or O(m D^2 + D^3) by the dual D x D matrix when jitter is 0 and D < m;
//            then O(m k^2) a draw.
//   Threads  one object may be used by many, each with its own Random.
namespace ragline {

// log e_j(values) for j = 0 to k, of the first n values: out[j * (count + 1) + n]. Values are at
// least 0; the logarithm of nothing is minus infinity.
std::vector<double> log_elementary(std::span<const double> values, std::size_t k);

class DppSampler {
 public:
  // The pool's relevance must be set (z-scores). kLimit for more than kMostPrimal candidates where
  // the dual form cannot be used.
  static constexpr std::size_t kMostPrimal = 2048;
  static Result<DppSampler> create(const Pool& pool, double theta, double jitter);

  // How many candidates a set can hold at most: the rank of K.
  std::size_t rank() const { return values_.size(); }
  std::size_t size() const { return size_; }

  // A set of any size, the empty one included; candidates ascending.
  std::vector<std::uint32_t> draw(Random& random) const;
  // A set of exactly k; k is at most rank().
  std::vector<std::uint32_t> draw(std::size_t k, Random& random) const;

 private:
  std::vector<std::uint32_t> draw_projection(const std::vector<std::uint32_t>& vectors,
                                             Random& random) const;

  std::size_t size_ = 0;
  std::vector<double> values_;   // positive eigenvalues of K
  std::vector<double> vectors_;  // the eigenvector of values_[j]: size_ entries at j * size_
};

}  // namespace ragline
