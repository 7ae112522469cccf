#include "eval/rgb.h"

#include "catch.h"

using namespace ragline;

namespace {

RgbReport report(std::string cases, std::string answers) {
  const auto gold = parse_cases(InputText("gold", std::move(cases)));
  const auto given = parse_answers(InputText("answers", std::move(answers)));
  REQUIRE(gold);
  REQUIRE(given);
  return score_rgb(*gold, *given);
}

}  // namespace

TEST_CASE("noise robustness by rate, and negative rejection at rate 1") {
  const RgbReport found = report(
      R"({"id":0,"query":"Where?","answer":["Tampa"],"positive":[],"negative":[]}
{"id":1,"query":"When?","answer":[["July 1","1 July"]],"positive":[],"negative":[]}
{"id":2,"query":"Who?","answer":"Ada","positive":[],"negative":[]})",
      R"({"id":0,"prediction":"in TAMPA, Florida","noise_rate":0.2}
{"id":1,"prediction":"on 1 july","noise_rate":0.2}
{"id":0,"prediction":"Tampa? insufficient information","noise_rate":0.8}
{"id":1,"prediction":"no","noise_rate":0.8}
{"id":0,"prediction":"Insufficient information in documents","noise_rate":1.0}
{"id":1,"prediction":"May","noise_rate":1.0})");
  REQUIRE(found.noise_robustness.size() == 3);
  CHECK(found.noise_robustness.at(0.2).share() == 1);
  CHECK(found.noise_robustness.at(0.8).right == 0);
  CHECK(found.noise_robustness.at(0.8).answers == 2);
  CHECK(found.negative_rejection.right == 1);
  CHECK(found.negative_rejection.answers == 2);
  CHECK(found.missing == 1);
  CHECK(found.noise_robustness.at(0).right == 0);
}

TEST_CASE("information integration needs both parts") {
  const RgbReport found = report(
      R"({"id":0,"query":"q","answer":[["5","five"],["May"]],"answer1":"5","answer2":"May","positive":[[],[]],"negative":[]}
{"id":1,"query":"q","answer":[["5","five"],["May"]],"answer1":"5","answer2":"May","positive":[[],[]],"negative":[]})",
      R"({"id":0,"prediction":"five in May"}
{"id":1,"prediction":"only five"})");
  CHECK(found.information_integration.answers == 2);
  CHECK(found.information_integration.right == 1);
}

TEST_CASE("counterfactual robustness: detection, and correction of what was detected") {
  const RgbReport found = report(
      R"({"id":0,"query":"哪里？","answer":"武汉","fakeanswer":"成都","positive":[],"positive_wrong":[],"negative":[]}
{"id":1,"query":"几个？","answer":"70","fakeanswer":"170","positive":[],"positive_wrong":[],"negative":[]}
{"id":2,"query":"谁？","answer":"罗琳","fakeanswer":"马尔克斯","positive":[],"positive_wrong":[],"negative":[]})",
      R"({"id":0,"prediction":"文档有事 实性错误，应为武 汉"}
{"id":1,"prediction":"存在事实性错误。"}
{"id":2,"prediction":"罗琳"})");
  CHECK(found.error_detection.answers == 3);
  CHECK(found.error_detection.right == 2);
  CHECK(found.error_correction.answers == 2);
  CHECK(found.error_correction.right == 1);
  CHECK(found.counterfactual_accuracy.right == 2);
}
