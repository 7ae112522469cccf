#include "eval/significance.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "catch.h"
#include "core/text.h"
#include "eval/bootstrap.h"

using namespace ragline;

namespace {

using Values = std::vector<double>;

void check_near(double found, double expected, double relative = 1e-9) {
  INFO("found " << number_text(found) << ", expected " << number_text(expected));
  CHECK(std::fabs(found - expected) <= relative * std::fabs(expected));
}

Values difference(const Values& a, const Values& b) {
  Values d;
  for (std::size_t i = 0; i < a.size(); ++i) d.push_back(a[i] - b[i]);
  return d;
}

// Differences of 0, of equal size, and of any size, by turns.
Values random_differences(std::mt19937_64& random, std::size_t n) {
  std::uniform_int_distribution<int> whole(-3, 5);
  std::normal_distribution<double> real(0.2, 1);
  const bool ties = random() % 2;
  Values d;
  while (d.size() < n) d.push_back(ties ? whole(random) * 0.1 : real(random));
  return d;
}

// The slow twins: every choice of signs, one after the other.
template <class Statistic>
double share_of_signs(const Values& d, Statistic at_least_as_extreme) {
  std::size_t count = 0;
  for (std::size_t signs = 0; signs < std::size_t{1} << d.size(); ++signs) {
    Values flipped;
    for (std::size_t i = 0; i < d.size(); ++i) flipped.push_back(signs >> i & 1 ? -d[i] : d[i]);
    count += at_least_as_extreme(flipped);
  }
  return static_cast<double>(count) / static_cast<double>(std::size_t{1} << d.size());
}

double slow_randomisation(const Values& d) {
  const double observed = std::fabs(mean_of(d)) - 1e-9;
  return share_of_signs(d, [&](const Values& v) { return std::fabs(mean_of(v)) >= observed; });
}

double rank_sum_of_positives(const Values& d) {
  double sum = 0;
  for (const double value : d) {
    if (value <= 0) continue;
    double below = 0, equal = 0;
    for (const double other : d) {
      if (std::fabs(std::fabs(other) - value) < 1e-9) {
        ++equal;
      } else if (std::fabs(other) < value) {
        ++below;
      }
    }
    sum += below + (equal + 1) / 2;
  }
  return sum;
}

double slow_wilcoxon(const Values& all) {
  Values d;
  for (const double value : all)
    if (std::fabs(value) > 1e-9) d.push_back(value);
  const double middle = static_cast<double>(d.size() * (d.size() + 1)) / 4;
  const double observed = std::fabs(rank_sum_of_positives(d) - middle) - 1e-9;
  return share_of_signs(
      d, [&](const Values& v) { return std::fabs(rank_sum_of_positives(v) - middle) >= observed; });
}

}  // namespace

TEST_CASE("p values are SciPy's") {
  const Values a = {.35, .2, .81, .5, .44, .9, .12, .67, .3, .55};
  const Values b = {.3, .1, .7, .62, .4, .81, .1, .6, .33, .5};
  const Values d = difference(a, b);
  check_near(paired_t_test(d).statistic, 1.7392928634374576);
  check_near(paired_t_test(d).p, 0.11598002110108571);
  check_near(randomisation_test(d).p, 0.125);
  check_near(wilcoxon_test(Values{3, -1, 4, -1.5, 5, 9, 2, 6, -5.5, 3.5}).p, 0.10546875);
  CHECK(wilcoxon_test(Values{3, -1, 4, -1.5, 5, 9, 2, 6, -5.5, 3.5}).statistic == 11);
}

TEST_CASE("Wilcoxon's normal approximation with ties is SciPy's") {
  Values d;
  for (int i = 0; i < 5; ++i)
    for (const double value : {-3, 1, 1, 2, 2, 2, -2, 4, 4, 5, -1, 6, 7, -7, 8}) d.push_back(value);
  const TestResult found = wilcoxon_test(d);
  CHECK(found.statistic == 685);
  CHECK_FALSE(found.exact);
  check_near(found.p, 8.731889668979851e-05);
}

TEST_CASE("exact tests agree with every choice of signs") {
  std::mt19937_64 random(20261130);
  for (int round = 0; round < 60; ++round) {
    const Values d = random_differences(random, 1 + random() % 9);
    INFO("round " << round);
    check_near(randomisation_test(d).p, slow_randomisation(d));
    check_near(wilcoxon_test(d).p, slow_wilcoxon(d));
    CHECK(wilcoxon_test(d).exact);
    CHECK(randomisation_test(d).exact);
  }
}

TEST_CASE("sampled randomisation agrees with the exact one and is never 0") {
  std::mt19937_64 random(7);
  Values d = random_differences(random, kExactRandomisation);
  for (double& value : d) value += 0.01;
  const double exact = randomisation_test(d).p;
  // Differences too small to matter make the test sample.
  for (int i = 0; i < 5; ++i) d.push_back(1e-7 * (i + 1));
  const TestResult sampled = randomisation_test(d, {.samples = 100000, .seed = 1});
  CHECK_FALSE(sampled.exact);
  CHECK(std::fabs(sampled.p - exact) < 4 * std::sqrt(exact * (1 - exact) / 100000) + 1e-5);
  CHECK(sampled.p == randomisation_test(d, {.samples = 100000, .seed = 1}).p);

  const Values certain(200, 0.25);
  check_near(randomisation_test(certain, {.samples = 999}).p, 0.001);
}

// The two exact methods meet their approximations where they hand over.
TEST_CASE("Wilcoxon's exact and approximate p agree for many differences") {
  std::mt19937_64 random(11);
  std::normal_distribution<double> real(0.25, 1);
  Values d;
  while (d.size() < kExactWilcoxon) d.push_back(real(random));
  const TestResult exact = wilcoxon_test(d);
  CHECK(exact.exact);
  const auto n = static_cast<double>(d.size());
  const double z = (exact.statistic - n * (n + 1) / 4) / std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
  check_near(exact.p, std::erfc(-z / std::sqrt(2)), 0.03);
}

TEST_CASE("ties that rounding has torn apart are ties") {
  // 0.3 - 0.1, 0.5 - 0.3, 0.9 - 0.7 are 0.2 on paper and three numbers in a double.
  const Values d = {0.3 - 0.1, -(0.5 - 0.3), 0.9 - 0.7, 0.1 + 0.2 - 0.3, 0.5};
  CHECK(d[0] != -d[1]);
  CHECK(d[3] != 0);
  CHECK(wilcoxon_test(d).used == 4);
  check_near(wilcoxon_test(d).p, slow_wilcoxon(d));
  CHECK(sign_test(d).statistic == 3);
  CHECK(wilcoxon_test(d).statistic == 2);
}

TEST_CASE("the sign test and McNemar's count wins and drop ties") {
  const Values d = {1, 1, 1, 0, 0, -1, 1, 1, 1};
  CHECK(sign_test(d).used == 7);
  check_near(sign_test(d).p, 0.125);
  check_near(mcnemar_test(d).p, 0.125);
}

TEST_CASE("nothing to test is no evidence") {
  const Values none, one = {0.4}, zeros(30, 0.0);
  for (const Values& d : {none, zeros}) {
    CHECK(paired_t_test(d).p == 1);
    CHECK(sign_test(d).p == 1);
    CHECK(wilcoxon_test(d).p == 1);
    CHECK(randomisation_test(d).p == 1);
  }
  CHECK(paired_t_test(one).p == 1);
  CHECK(sign_test(one).p == 1);
  CHECK(wilcoxon_test(one).p == 1);
  CHECK(randomisation_test(one).p == 1);
  CHECK(paired_t_test(Values{0.1, 0.1, 0.1}).p == 0);
  // The means are equal though the scores are not.
  CHECK(randomisation_test(Values{0.1, -0.1, 0.2, -0.2}).p == 1);
}

TEST_CASE("randomised Tukey of two runs is the randomisation test") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> score(0, 1);
  std::vector<Values> runs(2, Values(25));
  for (std::size_t query = 0; query < 25; ++query) {
    runs[0][query] = score(random);
    runs[1][query] = runs[0][query] + 0.15 * (score(random) - 0.35);
  }
  const double exact = randomisation_test(difference(runs[0], runs[1])).p;
  const std::vector<double> p = randomised_tukey(runs, {.samples = 40000, .seed = 2});
  REQUIRE(p.size() == 1);
  CHECK(std::fabs(p[0] - exact) < 0.01);
}

TEST_CASE("randomised Tukey corrects for looking at many pairs") {
  std::mt19937_64 random(6);
  std::normal_distribution<double> noise(0, 0.1);
  std::vector<Values> runs(5, Values(60));
  for (std::size_t query = 0; query < 60; ++query)
    for (std::size_t run = 0; run < 5; ++run) runs[run][query] = 0.5 + noise(random);
  for (double& score : runs[4]) score += 0.3;
  const std::vector<double> p = randomised_tukey(runs, {.samples = 2000, .seed = 2});
  REQUIRE(p.size() == 10);
  const std::vector<std::size_t> with_last = {3, 6, 8, 9};
  for (std::size_t pair = 0; pair < p.size(); ++pair) {
    const bool last = std::ranges::find(with_last, pair) != with_last.end();
    CHECK((p[pair] < 0.001) == last);
  }
  // The first pair alone would have a smaller p.
  CHECK(p[0] > randomisation_test(difference(runs[0], runs[1]), {.samples = 2000, .seed = 2}).p);
  CHECK(randomised_tukey({}).empty());
  CHECK(randomised_tukey({{0.1, 0.2}}).empty());
}
