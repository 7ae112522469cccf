#include "eval/correction.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "catch.h"

using namespace ragline;

namespace {

using Values = std::vector<double>;

void check_equal(const Values& found, const Values& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::fabs(found[i] - expected[i]) < 1e-12);
}

}  // namespace

// The first is scipy.stats.false_discovery_control's, the second R's p.adjust(p, "holm").
TEST_CASE("adjusted p values are those of SciPy and R") {
  const Values p = {.01, .04, .03, .005, .5};
  check_equal(benjamini_hochberg(p), {.025, .05, .05, .025, .5});
  check_equal(holm(p), {.04, .09, .09, .025, .5});
}

TEST_CASE("one comparison and none need no correction") {
  check_equal(holm(Values{0.2}), {0.2});
  check_equal(benjamini_hochberg(Values{0.2}), {0.2});
  CHECK(holm({}).empty());
  CHECK(benjamini_hochberg({}).empty());
}

// Both are defined by rejecting in steps; adjusted values at most the level must be the rejected.
TEST_CASE("adjusted values reject what the stepwise procedures reject") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    Values p;
    for (std::size_t n = 1 + random() % 8; p.size() < n;)
      p.push_back(std::pow(static_cast<double>(random() % 1000) / 1000, 3));
    Values sorted = p;
    std::ranges::sort(sorted);
    const double level = 0.05;
    double holm_bound = -1, bh_bound = -1;
    for (std::size_t i = 0; i < p.size() && sorted[i] * (p.size() - i) <= level; ++i)
      holm_bound = sorted[i];
    for (std::size_t i = 0; i < p.size(); ++i)
      if (sorted[i] * (p.size() / (i + 1.0)) <= level) bh_bound = sorted[i];
    const Values by_holm = holm(p), by_bh = benjamini_hochberg(p);
    for (std::size_t i = 0; i < p.size(); ++i) {
      CHECK((by_holm[i] <= level) == (p[i] <= holm_bound));
      CHECK((by_bh[i] <= level) == (p[i] <= bh_bound));
      CHECK(by_bh[i] <= by_holm[i] + 1e-12);
      CHECK(by_bh[i] >= p[i]);
    }
  }
}
