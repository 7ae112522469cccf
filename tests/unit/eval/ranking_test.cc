#include "eval/ranking.h"

#include "cases.h"

using namespace ragline;

namespace {

// Grades in order of rank.
std::vector<double> grades(const std::string& qrels, const std::string& run,
                           const RankingOptions& options = {}) {
  const Qrels judged = qrels_of(qrels, options.dialect);
  const Run hits = run_of(run, {.dialect = options.dialect});
  Ranker ranker(options);
  const auto ranking = ranker.rank(judged.queries()[0], hits, hits.find(judged.queries()[0].id));
  REQUIRE(ranking);
  return (*ranking)->grades;
}

using Grades = std::vector<double>;
const std::string kTied = "q Q0 a 3 1 t\nq Q0 b 1 1 t\nq Q0 c 2 1 t\n";
const std::string kJudged = "q 0 a 1\nq 0 b 2\nq 0 c 3\n";

}  // namespace

TEST_CASE("scores order hits, the order of the file does not") {
  CHECK(grades("q 0 a 1\nq 0 b 2\n", "q Q0 a 1 1 t\nq Q0 b 2 9 t\n") == Grades{2, 1});
  CHECK(grades("q 0 a 1\n", "q Q0 b 1 3 t\nq Q0 a 2 2 t\n") == Grades{kUnpooled, 1});
  CHECK(grades("q 0 a -1\n", "q Q0 a 1 1 t\n") == Grades{kPooledUnjudged});
}

TEST_CASE("trec_eval_22_ties_go_by_descending_document_id") {
  CHECK(grades(kJudged, kTied) == Grades{3, 2, 1});
}

TEST_CASE("ir_measures_18_the_rule_for_ties_is_chosen") {
  CHECK(grades(kJudged, kTied, {.ties = Ties::kRank}) == Grades{2, 3, 1});
  CHECK(grades(kJudged, kTied, {.ties = Ties::kInput}) == Grades{1, 2, 3});
  CHECK(grades(kJudged, kTied, {.ties = Ties::kExpected}) == Grades{3, 2, 1});
}

TEST_CASE("ids compare as bytes") {
  CHECK(grades("q 0 d10 1\nq 0 d9 2\nq 0 \xC3\xA9 3\n",
               "q Q0 d10 1 1 t\nq Q0 d9 1 1 t\nq Q0 \xC3\xA9 1 1 t\n") == Grades{3, 2, 1});
}

TEST_CASE("hits are cut after they are ordered") {
  CHECK(grades("q 0 a 1\nq 0 b 2\n", "q Q0 a 1 1 t\nq Q0 b 2 9 t\n", {.most_hits = 1}) ==
        Grades{2});
}

TEST_CASE("unjudged hits close up when only judged ones count") {
  CHECK(grades("q 0 a 1\nq 0 b 0\nq 0 c -1\n",
               "q Q0 x 1 9 t\nq Q0 b 2 8 t\nq Q0 c 3 7 t\nq Q0 a 4 6 t\n",
               {.judged_only = true}) == Grades{0, 1});
}

TEST_CASE("a document that comes twice is an error with its line") {
  CHECK(error_of("q 0 a 1\n", "q Q0 a 1 2 t\nq Q0 b 2 2 t\nq Q0 a 3 1 t\n") ==
        "run:3: document 'a' is there twice for query 'q': keep its best line");
  CHECK(error_of("q 0 a 1\n", "q Q0 a 1 2 t\nq Q0 b 2 2 t\nq Q0 b 3 1 t\n") ==
        "run:3: document 'b' is there twice for query 'q': keep its best line");
  CHECK(error_of("q 0 a 1\n", "q Q0 a 1 2 t\nr Q0 b 2 2 t\nr Q0 b 3 1 t\n") ==
        "run:3: document 'b' is there twice for query 'r': keep its best line");
}

TEST_CASE("NaN scores of trec_eval's dialects go last") {
  CHECK(grades("q 0 a 1\nq 0 b 2\nq 0 c 3\n", "q Q0 a 1 nan t\nq Q0 b 2 1 t\nq Q0 c 1 nan t\n",
               {.dialect = Dialect::kTrec10}) == Grades{2, 3, 1});
}

TEST_CASE("ties are counted, and those that go over a rank") {
  const Qrels judged = qrels_of("q 0 a 1\n");
  const Run run = run_of(
      "q Q0 a 1 9 t\nq Q0 b 2 8 t\nq Q0 c 3 8 t\nq Q0 d 4 8 t\nq Q0 e 5 1 t\nq Q0 f 6 1 t\n");
  Ranker ranker({});
  const auto found = ranker.rank(judged.queries()[0], run, run.find("q"));
  REQUIRE(found);
  const Ranking& ranking = **found;
  CHECK(ranking.tied_pairs() == 3);
  const std::vector<bool> expected{false, false, true, true, false, true, false, false};
  for (std::size_t k = 0; k < expected.size(); ++k) {
    INFO("rank " << k);
    CHECK(ranking.tie_straddles(k) == expected[k]);
  }
}

TEST_CASE("pytrec_eval_49_57_one_query_leaves_nothing_for_the_next") {
  const Qrels judged = qrels_of("a 0 x 1\na 0 y 1\nb 0 z 0\nc 0 x 2\n");
  const Run run = run_of("a Q0 x 1 2 t\na Q0 y 2 1 t\nb Q0 x 1 1 t\nc Q0 y 1 2 t\nc Q0 x 2 1 t\n");
  Ranker once({}), again({});
  for (const char* query : {"a", "b", "c", "b", "a", "c"}) {
    Ranker fresh({});
    const auto expected = fresh.rank(*judged.find(query), run, run.find(query));
    const auto found = again.rank(*judged.find(query), run, run.find(query));
    REQUIRE((expected && found));
    CHECK((*expected)->grades == (*found)->grades);
    CHECK((*expected)->ideal == (*found)->ideal);
    CHECK((*expected)->relevant == (*found)->relevant);
    CHECK((*expected)->relevant_retrieved == (*found)->relevant_retrieved);
  }
}
