#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

// Whether two runs, measured on the same queries, differ by more than chance. All tests are
// two-sided and take the differences d[i] = a[i] - b[i], one a query.
//
//   t              Student's paired t test. The default choice for means of nDCG and the like.
//   sign           how many queries got better and how many worse; exact.
//   wilcoxon       signed ranks; asks for the median, is robust against a few large differences.
//   randomisation  Fisher's: how often chance, which swaps a query's two scores or does not, makes
//                  so large a mean difference. Assumes least; follow it when it disagrees with t.
//   mcnemar        for measures that are 0 or 1; exact.
//   tukey          of several runs at once (randomised_tukey below).
//
// Smucker, Allan, Carterette (CIKM 2007) compare t, randomisation and bootstrap on TREC runs and
// find them to agree; sign and Wilcoxon ask another question.
//
// Ties. Measures are sums of rounded fractions, so differences that are equal on paper are not in a
// double: 0.3 - 0.1 is not 0.2. Differences that are apart by less than a trillionth of the largest
// count as equal, those as near to 0 as 0 (ranks.h).
namespace ragline {

struct TestResult {
  double p = 1;
  double statistic = 0;  // t; the number of wins; the smaller rank sum; the mean difference
  std::size_t used = 0;  // differences that counted; sign, Wilcoxon and McNemar drop the zeros
  bool exact = false;    // p is exact, not sampled and not by a normal approximation
};

struct RandomisationOptions {
  std::uint32_t samples = 10000;
  std::uint64_t seed = 0;
};

// p = 1 when all differences are 0, and with fewer than two of them.
TestResult paired_t_test(std::span<const double> d);

TestResult sign_test(std::span<const double> d);

// Zeros are dropped (Wilcoxon's own rule), ties get their mean rank. Exact up to kExactWilcoxon
// differences, ties or not: the distribution over all signs is counted, not looked up. Above, the
// normal approximation with the variance corrected for ties and without continuity correction,
// as SciPy's default.
inline constexpr std::size_t kExactWilcoxon = 60;
TestResult wilcoxon_test(std::span<const double> d);

// All 2^n swaps up to kExactRandomisation differences that are not 0, by meeting in the middle:
// O(2^(n/2)). Above, `samples` random swaps and p = (count + 1) / (samples + 1), which is never 0
// (Phipson and Smyth 2010).
inline constexpr std::size_t kExactRandomisation = 30;
TestResult randomisation_test(std::span<const double> d, const RandomisationOptions& options = {});

// The sign test under the name that it has for 0/1 outcomes; McNemar 1947, exact. Whether the
// outcomes are 0 or 1 is for the caller to check: only then it means what it says.
TestResult mcnemar_test(std::span<const double> d);

// Randomised Tukey HSD (Carterette, TOIS 2012, algorithm 1): p for each pair of runs, corrected for
// there being many. Chance shuffles the runs' scores within each query; the largest difference of
// any two means that comes of it is what a pair has to beat. Returns p in the order of pairs
// (0,1), (0,2), ... (1,2), ...; p = (count + 1) / (samples + 1).
//   scores  one row a run, all of the same length.
std::vector<double> randomised_tukey(const std::vector<std::vector<double>>& scores,
                                     const RandomisationOptions& options = {});

}  // namespace ragline
