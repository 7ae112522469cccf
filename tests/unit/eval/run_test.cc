#include "eval/run.h"

#include <map>
#include <random>

#include "cases.h"
#include "core/text.h"

using namespace ragline;

namespace {

std::vector<std::string> documents(const Run& run, std::string_view query) {
  std::vector<RunHit> hits;
  const Run::Query* found = run.find(query);
  REQUIRE(found);
  REQUIRE(run.read(*found, hits));
  std::vector<std::string> out;
  for (const RunHit& hit : hits) out.push_back(cat(hit.document, "=", number_text(hit.score)));
  return out;
}

std::string fault(const std::string& text, const RunOptions& options = {}) {
  const auto run = Run::parse(InputText("run", text), options);
  if (!run) return run.error().message;
  const Status sound = run->check();
  return sound ? "" : sound.error().message;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("runs in TREC, JSON and record form are the same") {
  const std::string hit =
      R"({"type":"hit","query_id":"q1","rank":1,"score":2.5,"evidence_id":"a#0-1@000000000000","document_id":"a"})"
      "\n"
      R"({"type":"hit","query_id":"q1","rank":2,"score":1,"evidence_id":"b#0-1@000000000000","document_id":"b"})"
      "\n";
  for (const std::string& text : {std::string("q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1 t\n"),
                                  std::string(R"({"q1": {"a": 2.5, "b": 1}})"),
                                  R"({"type":"query","query_id":"q1","query":"x"})"
                                  "\n" +
                                      hit +
                                      R"({"type":"end","query_id":"q1","hits":2,"complete":true})"
                                      "\n"}) {
    INFO(text);
    CHECK(documents(run_of(text), "q1") == Ids{"a=2.5", "b=1"});
  }
}

TEST_CASE("lines of queries may be mixed") {
  const Run run = run_of("q2 Q0 a 1 3 t\nq1 Q0 b 1 3 t\nq2 Q0 c 2 2 t\nq1 Q0 d 2 2 last\n");
  CHECK(run.queries().size() == 2);
  CHECK(documents(run, "q1") == Ids{"b=3", "d=2"});
  CHECK(documents(run, "q2") == Ids{"a=3", "c=2"});
  CHECK(run.tag() == "last");
}

TEST_CASE("the index of lines agrees with reading line by line") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    INFO("seed 7, round " << round);
    std::string text;
    std::map<std::string, Ids> expected;
    const int lines = 1 + random() % 40;
    for (int i = 0; i < lines; ++i) {
      if (random() % 8 == 0) text += random() % 2 ? "\n" : "# q9 Q0 x 1 1 t\n";
      const std::string query = cat("q", random() % 4), document = cat("d", i);
      const int score = random() % 10;
      append(text, random() % 4 ? "" : " ", query, random() % 2 ? " Q0 " : "\tQ0\t", document, " ",
             i, "  ", score, " t", random() % 3 ? "" : " more fields",
             random() % 3 ? "\n" : "\r\n");
      expected[query].push_back(cat(document, "=", score));
    }
    const Run run = run_of(text);
    REQUIRE(run.queries().size() == expected.size());
    for (const auto& [query, ids] : expected) CHECK(documents(run, query) == ids);
  }
}

TEST_CASE("what is wrong with a run") {
  CHECK(fault("q Q0 d 1 2 t\nq Q0 d\n") ==
        "run:2: 3 fields: a line of a run has 6: query, Q0, document, rank, score, tag");
  CHECK(fault("q Q0 d 1 nan t\n") == "run:1: the score 'nan' is no finite number: give one");
  CHECK(fault("q Q0 d 1 -inf t\n") == "run:1: the score '-inf' is no finite number: give one");
  CHECK(fault("q Q0 d 1 1e999 t\n") == "run:1: the score '1e999' is no finite number: give one");
  CHECK(fault("q Q0 d 1 2x t\n") == "run:1: the score '2x' is no finite number: give one");
  CHECK(fault("q 0 d 1\n").find("give the judgements first, then the run") != std::string::npos);
  CHECK(fault("").find("no hit in it") != std::string::npos);
  CHECK(fault("\n\n# nothing\n").find("no hit in it") != std::string::npos);
  CHECK(fault(R"({"q": {"d": 1e999}})").find("is no finite number") != std::string::npos);
}

TEST_CASE("trec_eval takes what atof takes, 9 as float") {
  CHECK(fault("q Q0 d 1 nan t\n", {.dialect = Dialect::kTrec10}).empty());
  CHECK(documents(run_of("q Q0 d 1 2x t\n", {.dialect = Dialect::kTrec10}), "q") == Ids{"d=2"});
  CHECK(documents(run_of("q Q0 d 1 16777217 t\n", {.dialect = Dialect::kTrec9}), "q") ==
        Ids{"d=16777216"});
  CHECK(documents(run_of("q Q0 d 1 16777217 t\n", {.dialect = Dialect::kTrec10}), "q") ==
        Ids{"d=16777217"});
}

TEST_CASE("a stream of records that was cut is an error") {
  const std::string text = R"({"type":"hit","query_id":"q","rank":1,"score":1,"document_id":"d"})";
  CHECK(fault(text).find("the hits of query 'q' have no end record") != std::string::npos);
  CHECK(fault(text, {.no_end = true}).empty());
}

TEST_CASE("a query without hits is a query of the run") {
  const Run run = run_of(R"({"type":"query","query_id":"q","query":"x"})"
                         "\n"
                         R"({"type":"end","query_id":"q","complete":true})"
                         "\n");
  REQUIRE(run.queries().size() == 1);
  CHECK(documents(run, "q").empty());
}

TEST_CASE("the best hit stands for its document, and ranks beat scores that disagree") {
  auto hit = [](int rank, double score, const char* document) {
    return cat(R"({"type":"hit","query_id":"q","rank":)", rank, R"(,"score":)", number_text(score),
               R"(,"document_id":")", document, "\"}\n");
  };
  const std::string end = R"({"type":"end","query_id":"q","complete":true})"
                          "\n";
  CHECK(documents(run_of(hit(1, 3, "a") + hit(2, 2, "b") + hit(3, 1, "a") + end), "q") ==
        Ids{"a=3", "b=2"});
  CHECK(documents(run_of(hit(1, 1, "a") + hit(2, 2, "b") + end), "q") == Ids{"a=-1", "b=-2"});
}

TEST_CASE("a hit that names nothing") {
  CHECK(fault(R"({"type":"hit","query_id":"q","rank":1,"score":1})") ==
        "run:1: a hit without document_id or path: give one");
}
