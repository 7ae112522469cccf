#include "eval/answers.h"

#include <algorithm>
#include <cmath>

#include "catch.h"

using namespace ragline;

namespace {

AnswerCase gold(std::vector<Aliases> items) {
  AnswerCase out;
  out.query_id = "1";
  out.items = std::move(items);
  return out;
}

GivenAnswer given(std::string text) {
  GivenAnswer out;
  out.query_id = "1";
  out.answer = std::move(text);
  return out;
}

// The measure's value; -9 where it does not apply.
double value(const ScoredAnswer& scored, std::string_view measure) {
  for (const AnswerScore& score : scored.scores)
    if (score.measure == measure) return score.value;
  return -9;
}

double value(std::vector<Aliases> items, std::string text, std::string_view measure) {
  const GivenAnswer answer = given(std::move(text));
  return value(score_answer(gold(std::move(items)), &answer), measure);
}

}  // namespace

TEST_CASE("the best alias counts") {
  CHECK(value({{"UK", "United Kingdom"}}, "The United Kingdom.", "exact_match") == 1);
  CHECK(value({{"UK", "United Kingdom"}}, "In the United Kingdom", "exact_match") == 0);
  CHECK(value({{"UK", "United Kingdom"}}, "In the United Kingdom", "f1") == 0.8);
  CHECK(value({{"UK", "United Kingdom"}}, "In the United Kingdom", "contains") == 1);
  CHECK(value({{"UK"}}, "in Ukraine", "contains") == 0);
  CHECK(value({{"武汉"}}, "在武汉举办", "contains") == 1);
}

TEST_CASE("lists are items by precision and recall") {
  const std::vector<Aliases> items = {{"red"}, {"green", "verde"}, {"blue"}};
  const GivenAnswer text = given("1. Red\n2. verde\n3. pink\n4. Red");
  const ScoredAnswer scored = score_answer(gold(items), &text);
  CHECK(std::fabs(value(scored, "list_precision") - 2.0 / 3) < 1e-12);
  CHECK(std::fabs(value(scored, "list_recall") - 2.0 / 3) < 1e-12);
  CHECK(std::fabs(value(scored, "items_contained") - 2.0 / 3) < 1e-12);
  CHECK(value(scored, "contains") == 0);
  CHECK(value(scored, "exact_match") == -9);
  CHECK(value(items, "red, green, and blue", "list_f1") == 1);
  CHECK(value(items, "- red\n- green; blue", "list_f1") == 1);
  CHECK(value({{"苏轼"}, {"苏辙"}}, "苏轼、苏辙和苏洵", "list_recall") == 1);
  CHECK(value(items, "", "list_f1") == 0);

  GivenAnswer as_list = given("");
  as_list.items = {"red", "blue, or not"};
  CHECK(value(score_answer(gold(items), &as_list), "list_precision") == 0.5);
}

TEST_CASE("numbers and dates apply where the gold answer is one") {
  CHECK(value({{"1361万"}}, "新增1,361万人", "numeric") == 1);
  CHECK(value({{"1.5 km"}}, "It is 1500 metres.", "numeric") == 1);
  CHECK(value({{"170"}}, "about 70", "numeric") == 0);
  CHECK(value({{"Paris"}}, "70", "numeric") == -9);
  CHECK(value({{"July 21, 2017"}}, "on 21 July 2017", "date") == 1);
  CHECK(value({{"July 21, 2017"}}, "in July 2017", "date") == 0);
  CHECK(value({{"July 21, 2017"}}, "on 21 July 2017", "numeric") == -9);
  const GivenAnswer close = given("3.1");
  CHECK(value(score_answer(gold({{"3.14"}}), &close, {.tolerance = 0.02}), "numeric") == 1);
}

TEST_CASE("unanswerable cases ask for a refusal and nothing else") {
  AnswerCase none = gold({});
  none.unanswerable = true;
  const GivenAnswer refusal = given("I don't know."), made_up = given("42");
  CHECK(value(score_answer(none, &refusal), "refusal_right") == 1);
  CHECK(value(score_answer(none, &made_up), "refusal_right") == 0);
  CHECK(value(score_answer(none, &made_up), "f1") == -9);
  GivenAnswer flagged = given("42");
  flagged.refused = true;
  CHECK(value(score_answer(none, &flagged), "refusal_right") == 1);
  CHECK(score_answer(none, &flagged).refusal == Refusal::kRefused);
}

TEST_CASE("a case without an answer is an empty answer") {
  const ScoredAnswer scored = score_answer(gold({{"x"}}), nullptr);
  CHECK(scored.missing);
  CHECK(value(scored, "exact_match") == 0);
  CHECK(value(scored, "crag") == 0);
  CHECK(value(scored, "refusal_right") == 0);
}

TEST_CASE("every score that is given is in the table, in its order") {
  const auto& table = answer_measures();
  for (const auto& items : {std::vector<Aliases>{{"5 km"}}, {{"2021-02-03"}}, {{"a"}, {"b"}}}) {
    const GivenAnswer answer = given("x");
    std::size_t last = 0;
    for (const AnswerScore& score : score_answer(gold(items), &answer).scores) {
      const auto at = std::ranges::find(table, score.measure, &AnswerMeasure::name);
      INFO(score.measure);
      REQUIRE(at != table.end());
      const auto place = static_cast<std::size_t>(at - table.begin());
      CHECK(place >= last);
      last = place;
      CHECK(score.value <= 1);
      CHECK(score.value >= (score.measure == "crag" ? -1 : 0));
    }
  }
}

namespace {

CragVerdict crag(std::string wanted, std::string text, std::optional<bool> judge = {}) {
  GivenAnswer answer = given(std::move(text));
  answer.correct = judge;
  return crag_verdict(gold({{std::move(wanted)}}), &answer);
}

}  // namespace

TEST_CASE("CRAG's rules") {
  CHECK(crag("Paris", " paris ") == CragVerdict::kCorrect);
  CHECK(crag("invalid question", "This is an invalid question.") == CragVerdict::kCorrect);
  CHECK(crag("Paris", "I don't know") == CragVerdict::kMissing);
  CHECK(crag("Paris", "Well, I don’t know that") == CragVerdict::kMissing);
  CHECK(crag("Paris", "") == CragVerdict::kMissing);
  CHECK(crag("Paris", "It is Paris") == CragVerdict::kOpen);
  CHECK(crag("Paris", "It is Paris", true) == CragVerdict::kCorrect);
  CHECK(crag("Paris", "It is Rome", false) == CragVerdict::kWrong);
  CHECK(crag("Paris", "I don't know", true) == CragVerdict::kMissing);
  CHECK(crag_value(CragVerdict::kOpen) == -1);
}

// The published script looks at the previous item's prediction, and takes a gold string apart into
// characters: an answer "p" to "Paris" was right, and so was anything after a right answer.
TEST_CASE("crag_script_scores_each_answer_by_its_own_words") {
  CHECK(crag("Paris", "p") == CragVerdict::kOpen);
  CHECK(crag("Paris", "PARIS") == CragVerdict::kCorrect);
  CHECK(crag("Rome", "paris") == CragVerdict::kOpen);
}

TEST_CASE("CRAG reads 75 words and no more") {
  std::string text;
  for (int i = 0; i < 75; ++i) text += "word ";
  CHECK(crag("x", text + "I don't know") == CragVerdict::kOpen);
  CHECK(crag("x", text.substr(15) + "I don't know") == CragVerdict::kMissing);
}
