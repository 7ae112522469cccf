#include "eval/effect.h"

#include <cmath>
#include <vector>

#include "catch.h"

using namespace ragline;

using Values = std::vector<double>;

TEST_CASE("an effect of ranks, spread and counts") {
  const Effect effect = effect_of(Values{3, -1, 4, 0, 2});
  CHECK(effect.wins == 3);
  CHECK(effect.ties == 1);
  CHECK(effect.losses == 1);
  CHECK(effect.mean == 1.6);
  CHECK(std::fabs(effect.cohen_d - 1.6 / 2.073644135332772) < 1e-12);
  // Ranks 3, 1, 4, 2 of which 1 is against.
  CHECK(std::fabs(effect.rank_biserial - 0.8) < 1e-12);
}

TEST_CASE("no differences, no effect") {
  CHECK(effect_of({}) == Effect{});
  CHECK(effect_of(Values{0, 0}) == Effect{.ties = 2});
  const Effect equal = effect_of(Values{0.1, 0.1, 0.1});
  CHECK(equal.cohen_d == 0);
  CHECK(equal.rank_biserial == 1);
}

// t[.975, 99] + t[.8, 99] = 1.98421695 + .84526703 (SciPy).
TEST_CASE("the smallest difference that n queries show") {
  CHECK(std::fabs(minimum_detectable_difference(100, 0.2) - 0.28294839835 * 0.2) < 1e-7);
  CHECK(minimum_detectable_difference(400, 0.2) < minimum_detectable_difference(100, 0.2) / 1.9);
  CHECK(minimum_detectable_difference(1, 0.2) == 0);
  CHECK(minimum_detectable_difference(50, 0) == 0);
}
