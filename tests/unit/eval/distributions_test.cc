#include "eval/distributions.h"

#include <cmath>

#include "catch.h"
#include "core/text.h"

using namespace ragline;

namespace {

void check_near(double found, double expected) {
  INFO("found " << number_text(found) << ", expected " << number_text(expected));
  CHECK(std::fabs(found - expected) <= 1e-9 * std::fabs(expected));
}

}  // namespace

// The expected values are SciPy 1.16's.
TEST_CASE("the normal distribution is SciPy's") {
  check_near(normal_cdf(-8.5), 9.47953482220325e-18);
  check_near(normal_cdf(-1.959963984540054), 0.025);
  check_near(normal_cdf(0), 0.5);
  check_near(normal_cdf(1.1), 0.8643339390536173);
  check_near(normal_quantile(1e-280), -35.78342139466302);
  check_near(normal_quantile(1e-15), -7.941345326170998);
  check_near(normal_quantile(0.025), -1.9599639845400545);
  check_near(normal_quantile(0.3), -0.5244005127080409);
  check_near(normal_quantile(0.9), 1.2815515655446004);
  check_near(normal_quantile(0.999999), 4.753424308817087);
  CHECK(std::fabs(normal_quantile(0.5)) < 1e-15);
  CHECK(std::isinf(normal_quantile(0)));
  CHECK(normal_quantile(1) > 0);
}

TEST_CASE("normal quantile and cdf undo each other") {
  for (double p = 0.001; p < 1; p += 0.001) check_near(normal_cdf(normal_quantile(p)), p);
}

TEST_CASE("Student's t is SciPy's") {
  CHECK(student_t_two_sided(0, 5) == 1);
  check_near(student_t_two_sided(1e-9, 3), 0.9999999992648948);
  check_near(student_t_two_sided(-0.5, 1), 0.7048327646991335);
  check_near(student_t_two_sided(2.2, 9), 0.05534057279861165);
  check_near(student_t_two_sided(6, 1000), 2.7553691733774752e-09);
  check_near(student_t_two_sided(12, 49), 3.380810494797404e-16);
  check_near(student_t_two_sided(3, 2.5), 0.07257609554903183);
  CHECK(student_t_two_sided(HUGE_VAL, 4) == 0);
  check_near(student_t_quantile(0.975, 9), 2.262157162798205);
  check_near(student_t_quantile(0.8, 49), 0.8490183985380773);
  check_near(student_t_quantile(0.025, 1), -12.706204736174705);
  check_near(student_t_quantile(0.9995, 200), 3.3398354062757107);
  check_near(student_t_quantile(0.6, 3), 0.2766706623326898);
  check_near(student_t_quantile(1e-9, 2), -22360.679741456875);
  CHECK(student_t_quantile(0.5, 7) == 0);
}

TEST_CASE("the fair coin and the incomplete beta function are SciPy's") {
  CHECK(fair_coin_two_sided(0, 0) == 1);
  CHECK(fair_coin_two_sided(5, 10) == 1);
  check_near(fair_coin_two_sided(1, 3), 1);
  check_near(fair_coin_two_sided(3, 10), 0.34375);
  check_near(fair_coin_two_sided(7, 10), 0.34375);
  check_near(fair_coin_two_sided(60, 100), 0.05688793364098089);
  check_near(fair_coin_two_sided(4800, 10000), 6.593515598672343e-05);
  check_near(incomplete_beta(2, 3, 0.3), 0.34829999999999994);
  check_near(incomplete_beta(0.5, 0.5, 0.1), 0.20483276469913345);
  check_near(incomplete_beta(500, 300, 0.6), 0.07292159199253194);
  check_near(incomplete_beta(1e4, 1e4, 0.49), 0.002337059330110092);
  CHECK(incomplete_beta(2, 3, 0) == 0);
  CHECK(incomplete_beta(2, 3, 1) == 1);
}

// DCI against a retrieval agent on BrowseComp-Plus, 176 against 76 questions: notes 3.2.
TEST_CASE("a published 2x2 table gives its published p") {
  check_near(fair_coin_two_sided(176, 252), 2.6276492897173263e-10);
}
