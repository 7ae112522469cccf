// Frequencies of every subset against its determinant, and sums of products against their logs.
#include "select/sample.h"

#include <bit>
#include <cmath>

#include "catch.h"
#include "pools.h"
#include "rounds.h"
#include "select/relevance.h"

using namespace ragline;
using namespace ragline::testing;

namespace {

// Whether counts come from the weights at p > .001: chi-square with cells of fewer than five
// expected joined, by Wilson and Hilferty's normal approximation.
bool plausible(const std::vector<double>& weights, const std::vector<double>& counts) {
  double sum = 0, draws = 0, statistic = 0, rest_expected = 0, rest_counted = 0;
  for (const double w : weights) sum += w;
  for (const double c : counts) draws += c;
  int cells = 0;
  const auto add = [&](double expected, double counted) {
    statistic += (counted - expected) * (counted - expected) / expected;
    ++cells;
  };
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double expected = draws * weights[i] / sum;
    if (expected >= 5) {
      add(expected, counts[i]);
    } else {
      rest_expected += expected;
      rest_counted += counts[i];
    }
  }
  if (rest_expected >= 5) add(rest_expected, rest_counted);
  const double freedom = cells - 1, spread = 2 / (9 * freedom);
  const double z = (std::cbrt(statistic / freedom) - (1 - spread)) / std::sqrt(spread);
  INFO("chi-square " << statistic << " with " << freedom << " degrees of freedom");
  CHECK(freedom >= 5);
  return z < 3.09;
}

struct Process {
  RandomPool data;
  Matrix kernel;
  Process(std::uint64_t seed, std::size_t size, std::size_t dimensions, double theta, double jitter)
      : data(seed, size, dimensions) {
    data.pool.relevance = z_scores(data.scores);
    kernel = kernel_of(data.pool, jitter);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        kernel[i][j] *= std::exp(theta * (data.pool.relevance[i] + data.pool.relevance[j]) / 2);
  }
};

void check_frequencies(std::size_t size, std::size_t dimensions, double jitter, int k) {
  INFO(size << " candidates, " << dimensions << " dimensions, jitter " << jitter << ", k " << k);
  const Process process(17, size, dimensions, 0.6, jitter);
  const auto sampler = DppSampler::create(process.data.pool, 0.6, jitter);
  REQUIRE(sampler.has_value());
  std::vector<double> weights(std::size_t{1} << size), counts(weights.size());
  for (std::uint32_t bits = 0; bits < weights.size(); ++bits) {
    std::vector<std::uint32_t> set;
    for (std::uint32_t i = 0; i < size; ++i)
      if (bits >> i & 1) set.push_back(i);
    if (k < 0 || std::popcount(bits) == k) weights[bits] = std::exp(log_det(process.kernel, set));
  }
  Random random(5);
  for (std::size_t draw = 0; draw < rounds(20000, 4); ++draw) {
    std::uint32_t bits = 0;
    for (const std::uint32_t i :
         k < 0 ? sampler->draw(random) : sampler->draw(static_cast<std::size_t>(k), random))
      bits |= 1u << i;
    ++counts[bits];
  }
  for (std::size_t bits = 0; bits < weights.size(); ++bits)
    if (weights[bits] == 0) REQUIRE(counts[bits] == 0);
  CHECK(plausible(weights, counts));
}

}  // namespace

TEST_CASE("every subset comes as often as its determinant says") {
  for (const int k : {-1, 2, 3}) {
    check_frequencies(6, 10, 0.05, k);
    check_frequencies(8, 12, 0.05, k);
  }
}

TEST_CASE("the dual form draws the same process") {
  for (const int k : {-1, 3}) {
    check_frequencies(6, 4, 0, k);
    check_frequencies(8, 5, 0, k);
  }
}

TEST_CASE("elementary symmetric polynomials by their definition") {
  const std::vector<double> values{0.5, 3, 0, 1.25, 7};
  const auto table = log_elementary(values, 5);
  std::vector<double> sums(6, 0);
  for (std::uint32_t bits = 0; bits < 32; ++bits) {
    double product = 1;
    for (std::uint32_t i = 0; i < 5; ++i)
      if (bits >> i & 1) product *= values[i];
    sums[static_cast<std::size_t>(std::popcount(bits))] += product;
  }
  for (std::size_t k = 0; k <= 5; ++k) CHECK(near(std::exp(table[k * 6 + 5]), sums[k], 1e-12));
}

TEST_CASE("dppy_58_and_80_many_candidates_do_not_underflow") {
  // e_200 of 400 values from 1e-8 to 1e8 is far outside of double.
  std::vector<double> values;
  for (int i = 0; i < 400; ++i) values.push_back(std::pow(10.0, -8 + i % 17));
  for (const double x : log_elementary(values, 200)) CHECK(!std::isnan(x));
  RandomPool data(2, 300, 200);
  data.pool.relevance = z_scores(data.scores);
  const auto sampler = DppSampler::create(data.pool, 20, 1e-3);
  REQUIRE(sampler.has_value());
  Random random(1);
  CHECK(sampler->draw(100, random).size() == 100);
}

TEST_CASE("a set cannot be larger than the rank") {
  RandomPool data(2, 30, 4);
  data.pool.relevance = z_scores(data.scores);
  CHECK(DppSampler::create(data.pool, 1, 0)->rank() == 4);
  CHECK(DppSampler::create(data.pool, 1, 1e-3)->rank() == 30);
  Pool none;
  Random random(1);
  CHECK(DppSampler::create(none, 1, 0)->draw(random).empty());
  data.pool.size = DppSampler::kMostPrimal + 1;
  CHECK(DppSampler::create(data.pool, 1, 1e-3).error().kind == ErrorKind::kLimit);
}
