#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "select/pool.h"

// How much of each candidate is new, given what was picked: the squared distance of its vector from
// the span of the picks' vectors, d_i^2. The determinant of the picks' kernel is the product of
// their d^2 at the time of picking, so greedy MAP for a determinantal point process, its windowed
// form and the sliding spectrum decomposition all read these numbers.
//
// The incremental Cholesky factor of Chen, Zhang and Zhou ("Fast greedy MAP inference for
// determinantal point process", NeurIPS 2018): with pick j,
//
//   e_i = (K_ji - c_j . c_i) / d_j      appended to c_i;      d_i^2 -= e_i^2
//
// A row of K is computed when its candidate is picked: no m x m matrix. Rows come from float
// products; the picks' own factor is in double, and refine() gives a candidate's d^2 in double
// before it is relied on (near-duplicates make float residuals negative).
//
// With a window only the last `window` picks count. Dropping the oldest turns the rest of the
// factor by Givens rotations (a rank-one update), O(window * m) a pick.
//
//   Cost    k rows of m products of D values, and O(m k^2); linear in m.
//   Memory  8 m (picks that count + 4) bytes.
namespace ragline {

struct ResidualOptions {
  // Added to the diagonal, which is 1 (or the squared length, when the pool keeps lengths): keeps
  // near-duplicates from being infinitely bad.
  double jitter = 0;
  std::size_t window = 0;  // 0: all picks count
  // Every vector gets one more coordinate, of the size of the rest (constant one, then halved):
  // what all candidates share counts as seen once anything was picked.
  bool constant = false;
  // add() touches nothing but the pick; what the picks left of a candidate is found by refine(),
  // and squared() holds bounds till then. Without a window.
  bool lazy = false;
};

class Residuals {
 public:
  // The pool must outlive this.
  Residuals(const Pool& pool, const ResidualOptions& options);

  // d^2 of each candidate, at least floor().
  std::span<const double> squared() const { return squared_; }
  // Below this nothing can be told from rounding: the candidate lies in the span of the picks.
  double floor() const { return floor_; }
  void add(std::uint32_t pick);
  // Computes d^2 of the candidate in double when it is small enough for that to matter. False when
  // it is exact already. Of lazy ones also when picks were added since.
  bool refine(std::uint32_t candidate);

 private:
  double product(std::uint32_t i, std::uint32_t j) const;
  void make_exact(std::uint32_t candidate);
  void forget_oldest();
  void catch_up(std::uint32_t candidate);

  const Pool& pool_;
  const ResidualOptions options_;
  std::vector<double> scale_;  // 1 / length, or 1
  std::vector<double> whole_;  // K_ii
  std::vector<double> squared_;
  std::vector<std::uint32_t> picks_;         // those that count, oldest first
  std::vector<std::vector<double>> factor_;  // factor_[s][i]: coordinate of i along pick s
  std::vector<double> lengths_;              // d of pick s at its time, kept up by rotations
  std::vector<std::uint32_t> exact_at_;      // step at which the candidate was refined
  std::vector<float> products_;
  std::vector<std::uint32_t> known_;  // lazy: how many picks d^2 of the candidate minds
  std::vector<float> pick_rows_;      // lazy: the picks' vectors, one after the other
  std::uint32_t step_ = 1;
  double floor_ = 0;
};

}  // namespace ragline
