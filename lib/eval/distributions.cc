#include "eval/distributions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace ragline {

namespace {

// The continued fraction of DLMF 8.17.22, for x below (a + 1) / (a + b + 2), where it converges in
// O(sqrt(max(a, b))) steps.
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto away_from_zero = [](double v) { return std::fabs(v) < kTiny ? kTiny : v; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m <= 100000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    const double step = d * c;
    fraction *= step;
    if (std::fabs(step - 1) < 1e-15) break;
  }
  return fraction;
}

}  // namespace

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// Starts at 26.2.23 (error below 4.5e-4) and takes three of Halley's steps, each of which cubes the
// error. Always in the lower tail, where the cdf keeps its relative precision.
double normal_quantile(double p) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (p <= 0) return -kInfinity;
  if (p >= 1) return kInfinity;
  if (p > 0.5) return -normal_quantile(1 - p);
  const double t = std::sqrt(-2 * std::log(p));
  double z = (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
             t;
  for (int step = 0; step < 3; ++step) {
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    const double newton = (normal_cdf(z) - p) / density;
    z -= newton / (1 + newton * z / 2);
  }
  return z;
}

double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
  const double log_front =
      std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
  return std::exp(log_front) * beta_fraction(a, b, x) / a;
}

double student_t_two_sided(double t, double df) {
  if (std::isinf(t)) return 0;
  const double square = t * t;
  // Near zero df / (df + t^2) rounds to 1 and t's last digits are lost; the complement keeps them.
  if (square < 1) return 1 - incomplete_beta(0.5, df / 2, square / (df + square));
  return incomplete_beta(df / 2, 0.5, df / (df + square));
}

double student_t_quantile(double p, double df) {
  if (p == 0.5) return 0;
  if (p > 0.5) return -student_t_quantile(1 - p, df);
  // t is further out than the normal's z; doubled until it brackets, then halved to the last bit.
  const auto below = [&](double t) { return student_t_two_sided(t, df) / 2; };
  double low = std::min(normal_quantile(p), -1e-8);
  double high = 0;
  while (below(low) > p) {
    high = low;
    low *= 2;
  }
  for (int step = 0; step < 200 && low < high; ++step) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (below(middle) > p ? high : low) = middle;
  }
  return low;
}

double fair_coin_two_sided(std::uint64_t successes, std::uint64_t trials) {
  const std::uint64_t fewer = std::min(successes, trials - successes);
  if (2 * fewer >= trials) return 1;  // an even split, or no trials
  // P(X <= k) = I_1/2(n - k, k + 1)
  const double tail =
      incomplete_beta(static_cast<double>(trials - fewer), static_cast<double>(fewer + 1), 0.5);
  return std::min(1.0, 2 * tail);
}

}  // namespace ragline
