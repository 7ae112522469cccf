// What intervals and tests promise, tried on samples whose truth is known. Always a short run with
// wide bounds; RAGLINE_SIMULATIONS=20000 makes it a proof: at n = 200, BCa intervals of continuous
// scores cover 95 % +- 1.5, continuous tests reject 5 % +- 1 under the null, discrete ones at most
// 6 %. It then takes some minutes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include "catch.h"
#include "core/text.h"
#include "eval/bootstrap.h"
#include "eval/significance.h"

using namespace ragline;

namespace {

using Values = std::vector<double>;
using Draw = std::function<double(std::mt19937_64&)>;

int simulations() {
  const char* text = std::getenv("RAGLINE_SIMULATIONS");
  return text ? static_cast<int>(parse_integer(text).value_or(0)) : 0;
}

// The bound itself in a long run; in a short one, wider by four standard errors of the share.
double slack(double bound, double share, int rounds) {
  return bound + 4 * std::sqrt(share * (1 - share) / rounds);
}

Values sample(std::mt19937_64& random, std::size_t n, const Draw& draw) {
  Values values(n);
  for (double& value : values) value = draw(random);
  return values;
}

double cube_of_uniform(std::mt19937_64& random) {
  const double u = std::uniform_real_distribution<double>()(random);
  return u * u * u;
}

}  // namespace

TEST_CASE("BCa intervals cover the mean as often as they say") {
  const bool proof = simulations() > 0;
  const int rounds = proof ? simulations() : 150;
  const std::uint32_t samples = proof ? 2000 : 500;
  struct Source {
    const char* name;
    double mean;
    Draw draw;
  };
  const Source sources[] = {
      {"uniform", 0.5, [](auto& r) { return std::uniform_real_distribution<double>()(r); }},
      {"uniform cubed", 0.25, cube_of_uniform},
      {"exponential", 1, [](auto& r) { return std::exponential_distribution<double>()(r); }},
  };
  for (const Source& source : sources) {
    std::mt19937_64 random(42);
    int covered = 0;
    for (int round = 0; round < rounds; ++round) {
      const Values values = sample(random, 200, source.draw);
      const Interval bca = bootstrap_mean(values, {.samples = samples, .seed = random()}).bca;
      covered += bca.low <= source.mean && source.mean <= bca.high;
    }
    const double share = static_cast<double>(covered) / rounds;
    if (proof) std::printf("BCa covers %.2f %% of %s\n", 100 * share, source.name);
    INFO(source.name << ": " << share);
    CHECK(std::fabs(share - 0.95) <= (proof ? 0.015 : slack(0.015, 0.95, rounds)));
  }
}

TEST_CASE("tests reject the null as often as their level") {
  const bool proof = simulations() > 0;
  const int rounds = proof ? simulations() : 300;
  struct Test {
    const char* name;
    bool discrete;
    std::function<double(const Values&, std::uint64_t)> p;
  };
  const Test tests[] = {
      {"t", false, [](const Values& d, auto) { return paired_t_test(d).p; }},
      {"wilcoxon", false, [](const Values& d, auto) { return wilcoxon_test(d).p; }},
      {"randomisation", false,
       [proof](const Values& d, auto seed) {
         return randomisation_test(d, {.samples = proof ? 1999u : 199u, .seed = seed}).p;
       }},
      {"sign", true, [](const Values& d, auto) { return sign_test(d).p; }},
      {"mcnemar", true, [](const Values& d, auto) { return mcnemar_test(d).p; }},
  };
  for (const Test& test : tests) {
    std::mt19937_64 random(43);
    int rejected = 0;
    for (int round = 0; round < rounds; ++round) {
      Values d =
          sample(random, 200, [](auto& r) { return cube_of_uniform(r) - cube_of_uniform(r); });
      if (test.discrete)
        for (double& value : d) value = value > 0.1 ? 1 : value < -0.1 ? -1 : 0;
      rejected += test.p(d, random()) <= 0.05;
    }
    const double share = static_cast<double>(rejected) / rounds;
    if (proof) std::printf("%s rejects %.2f %% of nulls\n", test.name, 100 * share);
    INFO(test.name << ": " << share);
    CHECK(share <= (proof ? 0.06 : slack(0.06, 0.05, rounds)));
    if (!test.discrete) CHECK(share >= (proof ? 0.04 : 0.05 - slack(0.01, 0.05, rounds)));
  }
}

// Of five runs that are alike, no pair may be called different more often than the level says.
TEST_CASE("randomised Tukey keeps its level over all pairs") {
  const bool proof = simulations() > 0;
  const int rounds = proof ? simulations() / 10 : 100;
  std::mt19937_64 random(44);
  int rejected = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<Values> runs;
    for (int run = 0; run < 5; ++run) runs.push_back(sample(random, 200, cube_of_uniform));
    const Values p = randomised_tukey(runs, {.samples = proof ? 499u : 99u, .seed = random()});
    rejected += *std::ranges::min_element(p) <= 0.05;
  }
  const double share = static_cast<double>(rejected) / rounds;
  if (proof) std::printf("tukey rejects %.2f %% of nulls\n", 100 * share);
  INFO(share);
  CHECK(share <= slack(0.01, 0.05, rounds) + 0.05);
}
