#include "eval/effect.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "eval/bootstrap.h"
#include "eval/distributions.h"
#include "eval/ranks.h"

namespace ragline {

Effect effect_of(std::span<const double> d) {
  Effect out;
  out.mean = mean_of(d);
  const double tolerance = tie_tolerance(d);
  const double deviation = standard_deviation(d);
  if (deviation > tolerance) out.cohen_d = out.mean / deviation;
  const std::vector<double> kept = without_zeros(d);
  out.wins = static_cast<std::size_t>(std::ranges::count_if(kept, [](double v) { return v > 0; }));
  out.losses = kept.size() - out.wins;
  out.ties = d.size() - kept.size();
  if (kept.empty()) return out;
  const SignedRanks ranks = signed_ranks(kept, tolerance);
  const auto plus = static_cast<double>(ranks.plus), minus = static_cast<double>(ranks.minus);
  out.rank_biserial = (plus - minus) / (plus + minus);
  return out;
}

double minimum_detectable_difference(std::size_t n, double deviation, double alpha, double power) {
  if (n < 2) return 0;
  const auto df = static_cast<double>(n - 1);
  const double quantiles = student_t_quantile(1 - alpha / 2, df) + student_t_quantile(power, df);
  return quantiles * deviation / std::sqrt(static_cast<double>(n));
}

}  // namespace ragline
