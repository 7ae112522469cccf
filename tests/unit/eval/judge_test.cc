#include "eval/judge.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.h"
#include "temporary_folder.h"
#include "core/text.h"
#include "record/object.h"

using namespace ragline;

namespace {

// A judge that says yes when the premise holds the hypothesis, and answers nothing about "mute".
struct Oracle {
  int exchanges = 0;
  std::string last;

  Result<std::string> operator()(const std::string& requests) {
    ++exchanges;
    last = requests;
    std::string out = "some chatter\n";
    for (const std::string_view line : split(requests, '\n')) {
      if (line.empty()) continue;
      const auto members = JsonMembers::parse(line);
      std::string key, premise, hypothesis;
      REQUIRE(members->text({"key"}, key));
      REQUIRE(members->text({"premise"}, premise));
      REQUIRE(members->text({"hypothesis"}, hypothesis));
      if (hypothesis.starts_with("mute")) continue;
      const bool yes = premise.find(hypothesis) != premise.npos;
      append(out, "{\"key\":\"", key, "\",\"label\":", yes ? "true" : "false",
             ",\"tokens\":10,\"cost\":0.5}\n");
    }
    return out;
  }
};

class Cache {
 public:
  std::string path() const { return folder_.at("cache.jsonl"); }

 private:
  testing::TemporaryFolder folder_;
};

JudgeTask task(std::string premise, std::string hypothesis) {
  return {"entailment", std::move(premise), std::move(hypothesis)};
}

}  // namespace

TEST_CASE("labels come back in the order of the tasks, each asked once") {
  Oracle oracle;
  auto judge = Judge::open("oracle", std::ref(oracle), "");
  REQUIRE(judge);
  const std::vector<JudgeTask> tasks = {task("a b", "a"), task("a b", "c"), task("a b", "a"),
                                        task("x", "mute")};
  const auto labels = judge->ask(tasks);
  REQUIRE(labels);
  CHECK((*labels)[0] == true);
  CHECK((*labels)[1] == false);
  CHECK((*labels)[2] == true);
  CHECK_FALSE((*labels)[3]);
  CHECK(oracle.exchanges == 1);
  CHECK(judge->ledger().tasks == 3);
  CHECK(judge->ledger().failures == 1);
  CHECK(judge->ledger().tokens == 20);
  CHECK(judge->ledger().cost == 1);
  CHECK(judge->hash().size() == 16);
}

TEST_CASE("the cache answers what was asked before, failures excepted") {
  Cache cache;
  const std::vector<JudgeTask> tasks = {task("a b", "a"), task("x", "mute")};
  Oracle first, second, other;
  {
    auto judge = Judge::open("oracle", std::ref(first), cache.path());
    REQUIRE(judge->ask(tasks));
  }
  auto judge = Judge::open("oracle", std::ref(second), cache.path());
  REQUIRE(judge);
  CHECK((*judge->ask(tasks))[0] == true);
  CHECK(judge->ledger().cached == 1);
  CHECK(judge->ledger().tokens == 0);
  CHECK(second.exchanges == 1);
  CHECK(second.last.find("\"a b\"") == std::string::npos);
  // Another judge's name makes other keys.
  auto stranger = Judge::open("another", std::ref(other), cache.path());
  REQUIRE(stranger->ask(tasks));
  CHECK(stranger->ledger().cached == 0);
}

TEST_CASE("a cache that holds something else is refused, and so is a judge that fails") {
  Cache cache;
  std::ofstream(cache.path()) << "{\"key\":\"1\",\"label\":true}\nnot an answer\n";
  const auto judge = Judge::open("oracle", Oracle(), cache.path());
  REQUIRE_FALSE(judge);
  CHECK(judge.error().message ==
        cache.path() + ":2: no answer of a judge: give a file that only a judge's cache is in");

  auto failing = Judge::open(
      "broken",
      [](const std::string&) -> Result<std::string> { return fail(ErrorKind::kIo, "gone"); }, "");
  const std::vector<JudgeTask> tasks = {task("a", "b")};
  CHECK(failing->ask(tasks).error().message == "gone");
}

namespace {

Passage passage(const char* document, std::string text) {
  Passage out;
  out.span = span_of_id(document);
  out.text = std::move(text);
  return out;
}

}  // namespace

TEST_CASE("ALCE asks what it needs, in three rounds") {
  const std::vector<Passage> context = {passage("a", "Red one."),
                                        passage("b", "Blue two. Red one."), passage("c", "Green")};
  const auto check = [&](std::string_view answer) {
    CitedAnswer input;
    input.answer = answer;
    input.context = &context;
    return check_citations(input);
  };
  const std::vector<CitationReport> reports = {
      check("Red one [1][3]. Blue two. Red one [2]. Green [1]."), check("mute [1]."),
      check("I don't know."), check("Red one [9].")};
  Oracle oracle;
  auto judge = Judge::open("oracle", std::ref(oracle), "");
  const auto scores = judge_citations(reports, *judge);
  REQUIRE(scores);
  REQUIRE((*scores)[0]);
  // The first sentence and the third of four are supported; of four citations [3] is not needed,
  // and the last does not help. What is left without [3] was asked before, so two exchanges do.
  CHECK((*scores)[0]->recall == 0.5);
  CHECK((*scores)[0]->precision == 0.5);
  CHECK(oracle.exchanges == 2);
  CHECK(judge->ledger().failures == 1);
  CHECK_FALSE((*scores)[1]);
  CHECK_FALSE((*scores)[2]);
  REQUIRE((*scores)[3]);
  CHECK((*scores)[3]->recall == 0);
  CHECK((*scores)[3]->precision == 0);
}
