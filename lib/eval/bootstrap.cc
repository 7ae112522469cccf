#include "eval/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "eval/distributions.h"
#include "core/random.h"

namespace ragline {

namespace {

// The mean of as many values, drawn with replacement. Two draws from each random number, two sums
// that do not wait for each other.
double resampled_mean(std::span<const double> values, Random& random) {
  const std::uint64_t n = values.size();
  double even = 0, odd = 0;
  for (std::uint64_t drawn = 0; drawn + 1 < n; drawn += 2) {
    const std::uint64_t bits = random.next();
    even += values[(bits >> 32) * n >> 32];
    odd += values[(bits & 0xffffffffu) * n >> 32];
  }
  if (n % 2) even += values[random.below(n)];
  return (even + odd) / static_cast<double>(n);
}

// How far the interval's ends move: chapter 14, equation 14.10. z0 is the bias, `acceleration` how
// fast the standard error changes with the mean.
double adjusted_level(double level, double z0, double acceleration) {
  const double z = z0 + normal_quantile(level);
  const double slope = 1 - acceleration * z;
  if (slope <= 0) return z > 0 ? 1 : 0;  // past the formula's pole: the end of the distribution
  return normal_cdf(z0 + z / slope);
}

// Equation 14.15 for the mean, whose jackknife values differ by (x - mean) / (n - 1).
double acceleration_of(std::span<const double> values, double mean) {
  double squares = 0, cubes = 0;
  for (const double value : values) {
    const double d = value - mean;
    squares += d * d;
    cubes += d * d * d;
  }
  const double acceleration = cubes / (6 * squares * std::sqrt(squares));
  return std::isfinite(acceleration) ? acceleration : 0;  // values beyond 1e154 overflow
}

}  // namespace

double mean_of(std::span<const double> values) {
  if (values.empty()) return 0;
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double quantile(std::span<const double> sorted, double p) {
  if (sorted.empty()) return 0;
  const double share_below = p > 0 ? std::min(p, 1.0) : 0;  // 0 for NaN too
  const double place = share_below * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 == sorted.size()) return sorted.back();
  const double share = place - static_cast<double>(below);
  return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

BootstrapMean bootstrap_mean(std::span<const double> values, const BootstrapOptions& options) {
  BootstrapMean out;
  if (values.empty()) return out;
  const auto [least, most] = std::ranges::minmax(values);
  if (least == most || options.samples == 0) {
    out.mean = least == most ? least : mean_of(values);
    out.percentile = out.bca = {out.mean, out.mean};
    return out;
  }
  out.mean = mean_of(values);

  Random random(options.seed);
  std::vector<double> means(options.samples);
  for (double& mean : means) mean = resampled_mean(values, random);
  out.standard_error = standard_deviation(means);
  std::ranges::sort(means);

  const double tail = (1 - options.confidence) / 2;
  out.percentile = {quantile(means, tail), quantile(means, 1 - tail)};

  // The share of resampled means below the mean, those equal to it counted half. At 0 or 1 there is
  // no bias to speak of, only too few samples.
  const auto range = std::ranges::equal_range(means, out.mean);
  const auto below = static_cast<double>(range.begin() - means.begin());
  const double share =
      (below + static_cast<double>(range.size()) / 2) / static_cast<double>(means.size());
  const double least_share = 0.5 / static_cast<double>(means.size());
  const double z0 = normal_quantile(std::clamp(share, least_share, 1 - least_share));
  const double acceleration = acceleration_of(values, out.mean);
  out.bca = {quantile(means, adjusted_level(tail, z0, acceleration)),
             quantile(means, adjusted_level(1 - tail, z0, acceleration))};
  return out;
}

}  // namespace ragline
