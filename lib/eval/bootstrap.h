#pragma once
#include <cstdint>
#include <span>

// How sure a mean over queries is, by resampling the queries (Efron and Tibshirani, "An
// Introduction to the Bootstrap", 1993). It assumes nothing about the distribution, but that the
// queries are a sample of those that matter.
//
//   BootstrapMean ndcg = bootstrap_mean(per_query, {.seed = 1});
//   // 0.412 [0.381, 0.444]
//
// Two intervals. *Percentile* (chapter 13) reads the quantiles of the resampled means. *BCa*
// (chapter 14; Efron 1987) moves them for bias and for a skewed distribution, and is the better
// one: with 50 queries or more, use it. Neither can see what the sample has not: below about 20
// queries both are too narrow.
namespace ragline {

struct Interval {
  double low = 0, high = 0;
  bool operator==(const Interval&) const = default;
};

struct BootstrapOptions {
  std::uint32_t samples = 10000;
  double confidence = 0.95;
  std::uint64_t seed = 0;
};

struct BootstrapMean {
  double mean = 0;
  double standard_error = 0;  // of the resampled means
  Interval percentile, bca;
};

// Values: finite, fewer than 2^32, in any unit. Without values all is 0; with one, or with equal
// ones, the intervals are the point. The same values, options and order give the same bits.
// Quantiles are interpolated (type 7, NumPy's default).
// Cost: samples * n draws, 0.3 s for 10,000 times 10,000 on one thread; samples doubles of memory.
BootstrapMean bootstrap_mean(std::span<const double> values, const BootstrapOptions& options = {});

// The value below which the share `p` of `sorted` lies, interpolated between neighbours (type 7).
// 0 when empty. P50, P95 and P99 of latencies come from here too.
double quantile(std::span<const double> sorted, double p);

double mean_of(std::span<const double> values);
// With n - 1; 0 below two values.
double standard_deviation(std::span<const double> values);

}  // namespace ragline
