#include "eval/prediction_powered.h"

#include <cmath>
#include <random>
#include <vector>

#include "catch.h"

using namespace ragline;

using Values = std::vector<double>;

TEST_CASE("the judge's mean is moved by its mean error") {
  const Values unlabelled = {1, 1, 0, 1}, judged = {1, 0, 1, 1}, labels = {1, 0, 0, 1};
  const PoweredMean found = prediction_powered_mean(unlabelled, judged, labels);
  CHECK(std::fabs(found.mean - (0.75 - 0.25)) < 1e-12);
  CHECK(found.judged == 4);
  CHECK(found.labelled == 4);
  // Both variances of means are 0.25 / 4.
  CHECK(std::fabs(found.interval.high - found.mean - 1.9599639845400545 * std::sqrt(0.125)) < 1e-9);
}

TEST_CASE("labels alone, and a judge alone, give plain means") {
  const Values labels = {1, 0, 1, 1};
  CHECK(prediction_powered_mean({}, labels, labels).mean == 0.75);
  CHECK(prediction_powered_mean(labels, {}, {}).mean == 0.75);
  CHECK(prediction_powered_mean({}, {}, {}).mean == 0);
}

// A judge that says yes to 30 % of what is wrong: its own mean is far off, the powered one is not.
TEST_CASE("the interval covers the truth however biased the judge") {
  std::mt19937_64 random(17);
  std::bernoulli_distribution truth(0.4), fooled(0.3);
  int covered = 0;
  for (int round = 0; round < 400; ++round) {
    Values unlabelled, judged, labels;
    for (int row = 0; row < 400; ++row) {
      const bool right = truth(random);
      const double says = right || fooled(random) ? 1 : 0;
      if (row < 100) {
        judged.push_back(says);
        labels.push_back(right);
      } else {
        unlabelled.push_back(says);
      }
    }
    const PoweredMean found = prediction_powered_mean(unlabelled, judged, labels);
    covered += found.interval.low <= 0.4 && 0.4 <= found.interval.high;
  }
  CHECK(covered >= 360);  // 95 % of 400 is 380, and four standard errors are 17
  CHECK(covered <= 397);
}

TEST_CASE("agreement of judge and people") {
  const Values judged = {1, 1, 0, 0, 1, 0}, labels = {1, 0, 0, 0, 1, 1};
  const JudgeAgreement found = judge_agreement(judged, labels);
  CHECK(found.rows == 6);
  CHECK(std::fabs(found.accuracy - 4.0 / 6) < 1e-12);
  CHECK(std::fabs(found.kappa - (4.0 / 6 - 0.5) / 0.5) < 1e-12);
  CHECK(judge_agreement(Values{1, 1}, Values{1, 1}).kappa == 1);
  CHECK(judge_agreement({}, {}).rows == 0);
}
