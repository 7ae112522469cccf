#pragma once
#include <cstdint>

// The three distributions behind intervals and tests. Relative error below 1e-9 where the result is
// above 1e-280 (compared with SciPy in distributions_test.cc); pure functions, thread-safe.
//
// Formulas: Abramowitz and Stegun 7.1 and 26.2 (normal); 26.5.8, the continued fraction of the
// incomplete beta function, evaluated by Lentz's method (DLMF 8.17(v)), behind Student's t
// (26.5.27) and the binomial (26.5.24).
namespace ragline {

// P(Z <= z) of the standard normal.
double normal_cdf(double z);
// The z with normal_cdf(z) == p. 0 and 1 give minus and plus infinity.
double normal_quantile(double p);

// P(|T| >= |t|) with `df` degrees of freedom, df > 0.
double student_t_two_sided(double t, double df);
// The t with P(T <= t) == p, 0 < p < 1.
double student_t_quantile(double p, double df);

// Two-sided exact test of `successes` among `trials` fair coins: twice the smaller tail, at most 1.
// 1 for no trials.
double fair_coin_two_sided(std::uint64_t successes, std::uint64_t trials);

// The regularised incomplete beta function I_x(a, b); a, b > 0, 0 <= x <= 1.
double incomplete_beta(double a, double b, double x);

}  // namespace ragline
