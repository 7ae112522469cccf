#include "vector/quantise.h"

#include <cmath>

#include "catch.h"
#include "rounds.h"
#include "vector/half.h"

using namespace ragline;

namespace {

std::vector<float> random_row(std::mt19937& random, std::size_t size, float scale) {
  std::normal_distribution<float> normal(0, scale);
  std::vector<float> row(size);
  for (float& value : row) value = normal(random);
  return row;
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (double(a[i]) - b[i]) * (double(a[i]) - b[i]);
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("a row's residual is the length of what its codes lose") {
  std::mt19937 random(20261130);
  for (std::size_t round = 0; round < testing::rounds(200); ++round) {
    const std::size_t size = 1 + random() % 300;
    const auto row = random_row(random, size, std::pow(10.f, static_cast<int>(random() % 40) - 30));
    std::vector<std::int8_t> codes(padded_dimensions(size), 99);
    const RowScale scale = quantise(row, codes);
    std::vector<float> back(size);
    dequantise(codes, scale.scale, back);
    INFO("round " << round);
    // Dequantised values are rounded to float once more.
    CHECK(distance(row, back) <= scale.residual + 1e-5 * scale.scale * std::sqrt(size));
    CHECK(scale.residual <= scale.scale * std::sqrt(size) / 2 * 1.001 + 1e-37);
    CHECK(
        std::all_of(codes.begin() + size, codes.end(), [](std::int8_t code) { return code == 0; }));
  }
}

TEST_CASE("zeros, subnormal numbers and one value survive") {
  for (const float value : {0.f, 1e-44f, 1e-38f, 3.f, -3e38f}) {
    std::vector<std::int8_t> codes(kRowAlign);
    const RowScale scale = quantise(std::vector<float>{value}, codes);
    std::vector<float> back(1);
    dequantise(codes, scale.scale, back);
    INFO(value);
    CHECK(std::isfinite(scale.scale));
    CHECK(std::fabs(double(value) - back[0]) <=
          scale.residual * (1 + 1e-5) + std::fabs(value) * 1e-6);
  }
}

TEST_CASE("a query's codes cannot overflow a sum, however long it is") {
  for (const std::size_t size : {1u, 64u, 1000u, 16384u}) {
    const std::vector<float> query(size, 0.7f);
    const QuantisedQuery quantised = quantise_query(query);
    std::int64_t sum = 0;
    for (const std::int16_t code : quantised.codes) sum += std::abs(code);
    INFO(size);
    CHECK(127 * sum <= 0x7FFFFFFF);
    CHECK(127 * sum >= 0x7FFFFFFF / 2 * std::min(1.0, size * 32767 * 127.0 / 0x7FFFFFFF));
    CHECK(quantised.residual <= quantised.length * 0.02);
  }
}

TEST_CASE("every half goes through float and back") {
  for (std::uint32_t half = 0; half < 0x10000; ++half) {
    const bool nan = (half & 0x7C00) == 0x7C00 && (half & 0x3FF);
    if (nan)
      REQUIRE(std::isnan(from_half(half)));
    else
      REQUIRE(to_half(from_half(half)) == half);
  }
}

TEST_CASE("a float becomes the nearest half, ties to even") {
  std::mt19937 random(20261130);
  for (std::size_t round = 0; round < testing::rounds(200000); ++round) {
    const auto low = static_cast<std::uint16_t>(random() % 0x7BFF);
    const double a = from_half(low), b = from_half(low + 1);
    const float value = static_cast<float>(a + (b - a) * (random() % 1001) / 1000);
    const double to_a = value - a, to_b = b - value;
    const std::uint16_t expected = to_a < to_b || (to_a == to_b && low % 2 == 0) ? low : low + 1;
    INFO(value);
    REQUIRE(to_half(value) == expected);
    REQUIRE(to_half(-value) == (expected | 0x8000));
  }
  CHECK(to_half(65519.9f) == 0x7BFF);
  CHECK(to_half(65520.f) == 0x7C00);
}
