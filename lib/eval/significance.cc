#include "eval/significance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "eval/bootstrap.h"
#include "eval/distributions.h"
#include "core/random.h"
#include "eval/ranks.h"

namespace ragline {

namespace {

// P(the sum of the ranks that chance gives a plus <= observed), all in doubled ranks: a polynomial
// with a factor (1 + x^rank) / 2 for each rank.
double rank_sum_tail(const std::vector<std::uint32_t>& ranks, std::uint64_t observed) {
  std::vector<double> share(observed + 1, 0.0);
  share[0] = 1;
  for (const std::uint32_t rank : ranks)
    for (std::uint64_t sum = observed + 1; sum-- > 0;)
      share[sum] = (share[sum] + (sum >= rank ? share[sum - rank] : 0)) / 2;
  return std::accumulate(share.begin(), share.end(), 0.0);
}

// The sums of all choices of signs, sorted.
std::vector<double> signed_sums(std::span<const double> d) {
  std::vector<double> sums{0};
  for (const double value : d) {
    const std::size_t before = sums.size();
    for (std::size_t i = 0; i < before; ++i) sums.push_back(sums[i] - value);
    for (std::size_t i = 0; i < before; ++i) sums[i] += value;
  }
  std::ranges::sort(sums);
  return sums;
}

// The share of sign choices whose sum is at least `bound` in size. Every sum of all values is one
// of the first half's plus one of the second half's; for growing left sums the right sums that
// reach the bound begin further and further to the left.
double exact_share(std::span<const double> d, double bound) {
  const std::vector<double> left = signed_sums(d.first(d.size() / 2));
  const std::vector<double> right = signed_sums(d.subspan(d.size() / 2));
  std::size_t upper = right.size();  // right[upper..] + left >= bound
  std::size_t lower = right.size();  // right[..lower) + left <= -bound
  std::uint64_t count = 0;
  for (const double sum : left) {
    while (upper > 0 && right[upper - 1] + sum >= bound) --upper;
    while (lower > 0 && right[lower - 1] + sum > -bound) --lower;
    count += right.size() - upper + lower;
  }
  const double all = static_cast<double>(left.size()) * static_cast<double>(right.size());
  return std::min(1.0, static_cast<double>(count) / all);  // a bound of 0 is met from both sides
}

// The sum with random signs: a random bit becomes a value's sign bit.
double random_sum(std::span<const double> d, Random& random) {
  double sum = 0;
  for (std::size_t begin = 0; begin < d.size(); begin += 64) {
    const std::uint64_t bits = random.next();
    const std::size_t count = std::min<std::size_t>(64, d.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = std::bit_cast<std::uint64_t>(d[begin + i]);
      sum += std::bit_cast<double>(value ^ (bits >> i << 63));
    }
  }
  return sum;
}

}  // namespace

TestResult paired_t_test(std::span<const double> d) {
  TestResult out;
  out.used = d.size();
  if (d.size() < 2) return out;
  const double mean = mean_of(d);
  const double error = standard_deviation(d) / std::sqrt(static_cast<double>(d.size()));
  // Differences that are equal but for rounding have no variance to speak of.
  const double rounding = tie_tolerance(d);
  if (std::fabs(mean) <= rounding) return out;
  if (error <= rounding) {
    out.p = 0;
    out.statistic = std::copysign(HUGE_VAL, mean);
    return out;
  }
  out.statistic = mean / error;
  out.p = student_t_two_sided(out.statistic, static_cast<double>(d.size() - 1));
  return out;
}

TestResult sign_test(std::span<const double> d) {
  const std::vector<double> kept = without_zeros(d);
  const auto wins = std::ranges::count_if(kept, [](double value) { return value > 0; });
  return {.p = fair_coin_two_sided(static_cast<std::uint64_t>(wins), kept.size()),
          .statistic = static_cast<double>(wins),
          .used = kept.size(),
          .exact = true};
}

TestResult mcnemar_test(std::span<const double> d) { return sign_test(d); }

TestResult wilcoxon_test(std::span<const double> d) {
  const std::vector<double> kept = without_zeros(d);
  TestResult out{.used = kept.size(), .exact = kept.size() <= kExactWilcoxon};
  if (kept.empty()) return out;
  const SignedRanks ranks = signed_ranks(kept, tie_tolerance(d));
  const std::uint64_t smaller = std::min(ranks.plus, ranks.minus);
  out.statistic = static_cast<double>(smaller) / 2;
  if (out.exact) {
    out.p = std::min(1.0, 2 * rank_sum_tail(ranks.doubled, smaller));
    return out;
  }
  const auto n = static_cast<double>(kept.size());
  const double expected = n * (n + 1) / 4;
  const double variance = n * (n + 1) * (2 * n + 1) / 24 - ranks.tie_term / 48;
  out.p = std::min(1.0, 2 * normal_cdf((out.statistic - expected) / std::sqrt(variance)));
  return out;
}

TestResult randomisation_test(std::span<const double> d, const RandomisationOptions& options) {
  const std::vector<double> kept = without_zeros(d);
  TestResult out{
      .statistic = mean_of(d), .used = d.size(), .exact = kept.size() <= kExactRandomisation};
  if (kept.empty()) return out;
  const double observed = std::fabs(std::accumulate(kept.begin(), kept.end(), 0.0));
  const double bound = observed - tie_tolerance(d) * static_cast<double>(kept.size());
  if (out.exact) {
    out.p = exact_share(kept, bound);
    return out;
  }
  Random random(options.seed);
  std::uint64_t count = 0;
  for (std::uint32_t sample = 0; sample < options.samples; ++sample)
    count += std::fabs(random_sum(kept, random)) >= bound;
  out.p = static_cast<double>(count + 1) / (static_cast<double>(options.samples) + 1);
  return out;
}

std::vector<double> randomised_tukey(const std::vector<std::vector<double>>& scores,
                                     const RandomisationOptions& options) {
  const std::size_t runs = scores.size();
  const std::size_t queries = runs ? scores[0].size() : 0;
  std::vector<double> observed;  // |difference of sums| by pair
  double largest = 0;
  std::vector<double> sums(runs);
  for (std::size_t run = 0; run < runs; ++run)
    for (const double score : scores[run]) {
      sums[run] += score;
      largest = std::max(largest, std::fabs(score));
    }
  const double rounding = largest * kTieTolerance * static_cast<double>(queries);
  for (std::size_t a = 0; a < runs; ++a)
    for (std::size_t b = a + 1; b < runs; ++b)
      observed.push_back(std::fabs(sums[a] - sums[b]) - rounding);

  // By query, so that a shuffle touches one row.
  std::vector<double> table(runs * queries);
  for (std::size_t query = 0; query < queries; ++query)
    for (std::size_t run = 0; run < runs; ++run) table[query * runs + run] = scores[run][query];
  std::vector<std::uint64_t> counts(observed.size());
  Random random(options.seed);
  for (std::uint32_t sample = 0; sample < options.samples; ++sample) {
    std::ranges::fill(sums, 0.0);
    for (std::size_t query = 0; query < queries; ++query) {
      double* const row = table.data() + query * runs;
      for (std::size_t left = runs; left > 1; --left)
        std::swap(row[left - 1], row[random.below(left)]);
      for (std::size_t run = 0; run < runs; ++run) sums[run] += row[run];
    }
    if (sums.empty()) break;
    const auto [least, most] = std::ranges::minmax(sums);
    for (std::size_t pair = 0; pair < observed.size(); ++pair)
      counts[pair] += most - least >= observed[pair];
  }
  std::vector<double> p;
  for (const std::uint64_t count : counts)
    p.push_back(static_cast<double>(count + 1) / (static_cast<double>(options.samples) + 1));
  return p;
}

}  // namespace ragline
