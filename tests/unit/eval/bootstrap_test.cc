#include "eval/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "catch.h"
#include "core/text.h"
#include "core/random.h"

using namespace ragline;

namespace {

const std::vector<double> kScores = {.1,  .9, .3,  .4,  .35, .2,  .05, .8,  .77, .31,
                                     .29, .6, .02, .01, .5,  .45, .33, .21, .18, .95};

void check_within(double found, double expected, double most) {
  INFO("found " << number_text(found) << ", expected " << number_text(expected));
  CHECK(std::fabs(found - expected) <= most);
}

}  // namespace

// Expected: scipy.stats.bootstrap with a million samples; ours with 200,000 differ by chance only.
TEST_CASE("intervals are SciPy's") {
  const BootstrapMean plain = bootstrap_mean(kScores, {.samples = 200000, .seed = 3});
  check_within(plain.mean, 0.386, 1e-12);
  check_within(plain.standard_error, 0.06264445, 3e-4);
  check_within(plain.percentile.low, 0.2675, 1.5e-3);
  check_within(plain.percentile.high, 0.5125, 1.5e-3);
  check_within(plain.bca.low, 0.275, 1.5e-3);
  check_within(plain.bca.high, 0.5225, 1.5e-3);

  std::vector<double> skewed = kScores;
  for (double& value : skewed) value = value * value * value * value;
  const BootstrapMean found = bootstrap_mean(skewed, {.samples = 200000, .seed = 4});
  check_within(found.percentile.low, 0.03670294, 1.5e-3);
  check_within(found.percentile.high, 0.23897684, 1.5e-3);
  check_within(found.bca.low, 0.05044845, 1.5e-3);
  check_within(found.bca.high, 0.271072, 1.5e-3);
}

TEST_CASE("the same seed gives the same bits, another seed other ones") {
  const BootstrapMean one = bootstrap_mean(kScores, {.seed = 5});
  const BootstrapMean same = bootstrap_mean(kScores, {.seed = 5});
  const BootstrapMean other = bootstrap_mean(kScores, {.seed = 6});
  CHECK(one.bca == same.bca);
  CHECK(one.percentile == same.percentile);
  CHECK(one.standard_error == same.standard_error);
  CHECK(one.standard_error != other.standard_error);
}

TEST_CASE("few or equal values give points") {
  CHECK(bootstrap_mean({}).mean == 0);
  CHECK(bootstrap_mean({}).bca == Interval{});
  const std::vector<double> one = {0.7}, equal(50, 0.1);
  CHECK(bootstrap_mean(one).bca == Interval{0.7, 0.7});
  CHECK(bootstrap_mean(equal).mean == 0.1);
  CHECK(bootstrap_mean(equal).percentile == Interval{0.1, 0.1});
  CHECK(bootstrap_mean(kScores, {.samples = 0}).bca.low == bootstrap_mean(kScores).mean);
}

TEST_CASE("more confidence makes wider intervals, and both hold the mean") {
  double width = 0;
  for (const double confidence : {0.5, 0.8, 0.95, 0.99}) {
    const BootstrapMean found = bootstrap_mean(kScores, {.confidence = confidence, .seed = 1});
    CHECK(found.bca.low < found.mean);
    CHECK(found.bca.high > found.mean);
    CHECK(found.bca.high - found.bca.low > width);
    width = found.bca.high - found.bca.low;
  }
}

// The draws are spread evenly: of two values, and of an odd number of them.
TEST_CASE("every value is drawn equally often") {
  for (const std::size_t n : {2u, 3u, 7u}) {
    for (std::size_t marked = 0; marked < n; ++marked) {
      std::vector<double> values(n);
      values[marked] = static_cast<double>(n);
      const BootstrapMean found = bootstrap_mean(values, {.samples = 40000, .seed = 9});
      const double spread = std::sqrt(static_cast<double>(n - 1));  // of one draw
      check_within(found.standard_error, spread / std::sqrt(static_cast<double>(n)), 0.02);
    }
  }
}

TEST_CASE("quantiles interpolate as NumPy's") {
  const std::vector<double> values = {1, 2, 4, 8};
  CHECK(quantile(values, 0) == 1);
  CHECK(quantile(values, 1) == 8);
  CHECK(quantile(values, 0.5) == 3);
  check_within(quantile(values, 0.95), 7.4, 1e-12);
  CHECK(quantile({}, 0.5) == 0);
  CHECK(quantile(std::vector<double>{3}, 0.99) == 3);
}

TEST_CASE("values whose squares overflow, and extreme skew, leave an interval") {
  for (const std::vector<double>& values :
       {std::vector<double>{1e200, 1, 2, 3}, std::vector<double>{-1e200, 1e200, 0},
        std::vector<double>{1e-200, 0, 0}}) {
    const BootstrapMean found = bootstrap_mean(values, {.samples = 500});
    CHECK(found.bca.low <= found.mean);
    CHECK(found.bca.high >= found.mean);
  }
  std::vector<double> skewed(12);
  skewed[3] = 1;
  for (const double confidence : {0.5, 0.99, 0.9999}) {
    const BootstrapMean found = bootstrap_mean(skewed, {.samples = 1000, .confidence = confidence});
    CHECK(found.bca.low <= found.bca.high);
  }
  CHECK(quantile(std::vector<double>{1, 2}, std::nan("")) == 1);
}

TEST_CASE("standard deviation divides by n - 1") {
  CHECK(standard_deviation(std::vector<double>{1}) == 0);
  check_within(standard_deviation(std::vector<double>{1, 2, 3, 4}), 1.2909944487358056, 1e-15);
}

TEST_CASE("random numbers below a bound reach all of it and no more") {
  Random random(1);
  std::vector<int> seen(5);
  for (int i = 0; i < 1000; ++i) ++seen.at(random.below(5));
  CHECK(*std::ranges::min_element(seen) > 150);
}
