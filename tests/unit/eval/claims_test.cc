#include "eval/claims.h"

#include <cmath>

#include "catch.h"

using namespace ragline;

namespace {

void near(std::optional<double> found, double expected) {
  REQUIRE(found);
  CHECK(std::fabs(*found - expected) < 1e-12);
}

}  // namespace

// Four response claims (right, wrong, wrong, right), three gold claims, three chunks, of which the
// first alone is relevant.
TEST_CASE("RAGChecker's measures of a worked example") {
  ClaimChecks checks;
  checks.gold_entails_response = {true, false, false, true};
  checks.response_entails_gold = {true, false, false};
  checks.chunks_entail_gold = {{true, false, false}, {true, false, false}, {false, false, false}};
  checks.chunks_entail_response = {
      {true, false, false}, {true, true, false}, {false, false, true}, {false, false, false}};
  const ClaimScores scores = score_claims(checks);
  near(scores.precision, 0.5);
  near(scores.recall, 1.0 / 3);
  near(scores.f1, 0.4);
  near(scores.claim_recall, 2.0 / 3);
  near(scores.context_precision, 1.0 / 3);
  near(scores.context_utilization, 0.5);
  near(scores.noise_sensitivity_relevant, 0.25);    // the second claim
  near(scores.noise_sensitivity_irrelevant, 0.25);  // the third
  near(scores.hallucination, 0);
  near(scores.self_knowledge, 0.25);  // the fourth
  near(scores.faithfulness, 0.75);
}

TEST_CASE("nothing to divide by is no score") {
  const ClaimScores none = score_claims({});
  CHECK_FALSE(none.precision);
  CHECK_FALSE(none.f1);
  CHECK_FALSE(none.claim_recall);
  CHECK_FALSE(none.faithfulness);
  ClaimChecks nothing_recalled;
  nothing_recalled.response_entails_gold = {true};
  nothing_recalled.chunks_entail_gold = {{false}};
  near(score_claims(nothing_recalled).context_utilization, 0);
}

TEST_CASE("ALCE counts citations that are needed") {
  std::vector<CitedSentence> sentences(5);
  sentences[0].citations = 1;  // supported, and by its one citation
  sentences[0].all_entail = true;
  sentences[1].citations = 3;  // supported: alone, needed with others, and in vain
  sentences[1].all_entail = true;
  sentences[1].alone = {true, false, false};
  sentences[1].without = {true, false, true};
  sentences[2].citations = 2;  // not supported
  sentences[3].citations = 1;  // supported, were its number not out of range
  sentences[3].all_entail = true;
  sentences[3].in_range = false;
  const AlceScore score = score_alce(sentences);  // the fifth cites nothing
  near(score.recall, 0.4);
  near(score.precision, 3.0 / 7);
  near(score_alce({}).recall, 0);
  near(score_alce({{}}).precision, 0);
}

TEST_CASE("context precision rewards relevant passages on top") {
  near(context_precision({true, false, true}), (1 + 2.0 / 3) / 2);
  near(context_precision({false, true}), 0.5);
  near(context_precision({false, false}), 0);
  near(context_precision({}), 0);
}
