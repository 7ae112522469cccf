#include "eval/failures.h"

#include "catch.h"

using namespace ragline;

namespace {

// One piece of gold evidence, "g", and stages that hold what they are given.
class Pipeline {
 public:
  Pipeline() {
    gold_case_.query_id = "1";
    gold_case_.items = {{"Paris"}};
    stages_.gold = {span_of_id("g")};
    stages_.gold_case = &gold_case_;
  }
  Pipeline& unanswerable() {
    gold_case_.unanswerable = true;
    return *this;
  }
  Pipeline& retrieved(std::vector<const char*> ids) {
    return stage(stages_.retrieved, retrieved_, ids);
  }
  Pipeline& selected(std::vector<const char*> ids) {
    return stage(stages_.selected, selected_, ids);
  }
  Pipeline& context(std::vector<const char*> ids) { return stage(stages_.context, context_, ids); }
  Pipeline& dropped(std::string reason) {
    dropped_ = {{"g", std::move(reason)}};
    stages_.dropped = &dropped_;
    return *this;
  }
  Pipeline& answer(std::string text, std::vector<std::string> citations = {}) {
    given_.answer = std::move(text);
    given_.citations = std::move(citations);
    stages_.given = &given_;
    return *this;
  }
  std::string failure() const { return failure_name(diagnose(stages_).failure); }
  bool names_lost() const { return diagnose(stages_).lost.has_value(); }

 private:
  Pipeline& stage(const std::vector<Passage>*& slot, std::vector<Passage>& store,
                  const std::vector<const char*>& ids) {
    for (const char* id : ids) store.push_back({span_of_id(id), "text"});
    slot = &store;
    return *this;
  }
  AnswerCase gold_case_;
  GivenAnswer given_;
  std::vector<Passage> retrieved_, selected_, context_;
  std::map<std::string, std::string> dropped_;
  PipelineStages stages_;
};

}  // namespace

TEST_CASE("the first stage without the evidence is to blame") {
  CHECK(Pipeline().retrieved({"a"}).selected({"a"}).answer("Rome").failure() == "retrieval");
  CHECK(Pipeline().retrieved({"a"}).names_lost());
  CHECK(Pipeline().retrieved({"a", "g"}).selected({"a"}).context({"a"}).failure() == "selection");
  CHECK(Pipeline().retrieved({"g"}).selected({"g"}).context({"a"}).failure() == "context_other");
  CHECK(Pipeline().context({"a"}).dropped("token budget").failure() == "context_truncated");
  CHECK(Pipeline().context({"a"}).dropped("duplicate of a").failure() == "context_duplicate");
  CHECK(Pipeline().selected({}).failure() == "selection");
}

TEST_CASE("with the evidence shown, the answer is to blame") {
  CHECK(Pipeline().context({"g"}).answer("Rome [1]").failure() == "generation");
  CHECK(Pipeline().context({"g"}).answer("I don't know.").failure() == "refusal");
  CHECK(Pipeline().context({"g"}).answer("Paris.").failure() == "citation");
  CHECK(Pipeline().context({"a", "g"}).answer("Paris [1].").failure() == "citation");
  CHECK(Pipeline().context({"a", "g"}).answer("Paris [2].").failure() == "none");
  CHECK(Pipeline().context({"a", "b", "g", "c", "d"}).answer("Rome [1]").failure() ==
        "context_order");
  CHECK(Pipeline().context({"g", "b", "a", "c", "d"}).answer("Rome [1]").failure() == "generation");
  CHECK(Pipeline().context({"g"}).failure() == "none");
}

TEST_CASE("answers to what has none") {
  CHECK(Pipeline().unanswerable().answer("Rome").failure() == "made_up");
  CHECK(Pipeline().unanswerable().answer("I don't know.").failure() == "none");
  CHECK(Pipeline().unanswerable().retrieved({}).failure() == "none");
}

TEST_CASE("reasons for dropping, from context records") {
  const auto found = parse_drop_reasons(InputText(
      "c",
      R"({"type":"context","query_id":"1","tokens":0,"evidence":[],"dropped":[{"evidence_id":"a#0-1@0123456789ab","reason":"Over Budget"},{"reason":"x"}]}
{"type":"end"}
)"));
  REQUIRE(found);
  CHECK(found->at("1").at("a#0-1@0123456789ab") == "over budget");
  CHECK(found->at("1").size() == 1);
  CHECK_FALSE(parse_drop_reasons(InputText("c", "{\"dropped\":[1]}")));
}
