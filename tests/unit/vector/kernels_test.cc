#include "vector/kernels.h"

#include "catch.h"
#include "rounds.h"
#include "vector/quantise.h"

using namespace ragline;

TEST_CASE("every kernel gives the sums of the plain loop") {
  std::mt19937 random(20261130);
  for (std::size_t round = 0; round < testing::rounds(300); ++round) {
    const std::size_t width = kRowAlign * (1 + random() % 8), count = 1 + random() % 67;
    std::vector<std::int8_t> rows(count * width + 1);
    std::vector<std::int16_t> queries(4 * width);
    // Extremes are as likely as the rest: sums must not saturate.
    for (auto& code : rows)
      code = random() % 3 ? static_cast<int>(random() % 255) - 127 : (random() % 2 ? 127 : -127);
    const int most = static_cast<int>(std::min<std::size_t>(32767, 0x7FFFFFFF / 127 / width));
    for (auto& code : queries)
      code = random() % 3 ? static_cast<int>(random() % (2 * most + 1)) - most : most;
    const std::int8_t* first = rows.data() + random() % 2;  // any alignment
    std::vector<std::int32_t> expected;
    for (std::size_t q = 0; q < 4; ++q)
      for (std::size_t r = 0; r < count; ++r) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < width; ++i)
          sum += first[r * width + i] * queries[q * width + i];
        expected.push_back(static_cast<std::int32_t>(sum));
      }
    for (const Kernels& kernel : all_kernels()) {
      INFO(kernel.name << ", round " << round);
      std::vector<std::int32_t> found(4 * count);
      kernel.four_queries(first, count, width, queries.data(), found.data());
      REQUIRE(found == expected);
      for (std::size_t q = 0; q < 4; ++q)
        kernel.one_query(first, count, width, queries.data() + q * width, found.data() + q * count);
      REQUIRE(found == expected);
    }
  }
}
