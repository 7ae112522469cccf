#include "eval/evaluate.h"

#include <cmath>

#include "cases.h"

using namespace ragline;

namespace {

struct Measured {
  Qrels qrels;
  Run run;
  std::vector<Measure> measures;
  Evaluation evaluation;
};

Measured measured(const std::string& qrels, const std::string& run,
                  const std::vector<std::string>& measures, const EvaluationOptions& options = {}) {
  const Dialect dialect = options.ranking.dialect;
  Qrels judged = qrels_of(qrels, dialect, options.format);
  Run hits = run_of(run, {.dialect = dialect});
  std::vector<Measure> chosen = measures_of(measures, dialect);
  auto evaluation = evaluate(judged, hits, chosen, options);
  REQUIRE(evaluation);
  return {std::move(judged), std::move(hits), std::move(chosen), std::move(*evaluation)};
}

EvaluationOptions trec(Dialect dialect, bool complete = false) {
  EvaluationOptions options;
  options.ranking.dialect = dialect;
  options.complete = complete;
  return options;
}

const std::string kQrels = "a 0 x 1\nb 0 x 1\nc 0 x 1\n";
const std::string kRun = "a Q0 x 1 1 t\nc Q0 y 1 2 t\nc Q0 x 2 1 t\nd Q0 x 1 1 t\n";

}  // namespace

TEST_CASE("every query is accounted for") {
  const Measured m = measured(kQrels, kRun, {"RR"});
  const QueryAccount& account = m.evaluation.account;
  CHECK(account.both == 2);
  CHECK(account.only_judged == 1);
  CHECK(account.only_run == 1);
  CHECK(account.missing == std::vector<std::string>{"b"});
  CHECK(m.evaluation.means[0] == 0.5);
  CHECK(m.evaluation.means_both[0] == 0.75);
}

TEST_CASE("unitxt_1935_the_mean_is_over_queries_and_not_over_hits") {
  const Measured m = measured("a 0 x 1\nb 0 x 1\n",
                              "a Q0 x 1 9 t\nb Q0 y 1 9 t\nb Q0 z 2 8 t\nb Q0 x 3 7 t\n", {"RR"});
  CHECK(m.evaluation.means[0] == Approx((1 + 1.0 / 3) / 2));
}

TEST_CASE("trec_eval_18_c_counts_missing_queries") {
  const Measured nine =
      measured(kQrels, kRun, {"num_q", "map", "gm_map"}, trec(Dialect::kTrec9, true));
  CHECK(nine.evaluation.means[0] == 3);
  CHECK(nine.evaluation.means[1] == 0.5);
  CHECK(nine.evaluation.queries.size() == 2);  // 9.0 prints no line for b
  CHECK(nine.evaluation.means[2] == Approx(std::cbrt(1 * 1e-5 * 0.5)));
  const Measured ten =
      measured(kQrels, kRun, {"num_q", "map", "gm_map"}, trec(Dialect::kTrec10, true));
  CHECK(ten.evaluation.means == nine.evaluation.means);
  CHECK(ten.evaluation.queries.size() == 3);
}

TEST_CASE("without -c trec_eval 9 leaves a missing query out and 10 stops") {
  const Measured nine = measured(kQrels, kRun, {"map"}, trec(Dialect::kTrec9));
  CHECK(nine.evaluation.means[0] == 0.75);
  CHECK_FALSE(nine.evaluation.stopped);
  const Measured ten = measured(kQrels, kRun, {"map"}, trec(Dialect::kTrec10));
  CHECK(ten.evaluation.stopped);
  CHECK(ten.evaluation.queries.size() == 1);
}

TEST_CASE("scores are floats in 9 and doubles in 10") {
  const std::string qrels = "q 0 a 1\nq 0 b 0\n";
  const std::string run = "q Q0 a 1 16777216.4 t\nq Q0 b 2 16777216.3 t\n";
  CHECK(measured(qrels, run, {"recip_rank"}, trec(Dialect::kTrec9)).evaluation.means[0] == 0.5);
  CHECK(measured(qrels, run, {"recip_rank"}, trec(Dialect::kTrec10)).evaluation.means[0] == 1);
}

TEST_CASE("recall points are rounded differently") {
  // Six relevant documents: 0.6 of them is 3.6, which 9 takes for 4 and 10 too; 0.7 is 4.2: 5
  // and 4.
  std::string qrels, run;
  for (int i = 0; i < 6; ++i) qrels += "q 0 d" + std::to_string(i) + " 1\n";
  for (int i = 0; i < 4; ++i)
    run += "q Q0 d" + std::to_string(i) + " 0 " + std::to_string(9 - i) + " t\n";
  const std::vector<std::string> measure{"iprec_at_recall.0.7"};
  CHECK(measured(qrels, run, measure, trec(Dialect::kTrec9)).evaluation.means[0] == 0);
  CHECK(measured(qrels, run, measure, trec(Dialect::kTrec10)).evaluation.means[0] == 1);
}

TEST_CASE("a tie over a cut-off is counted for its measures") {
  const Measured m = measured("q 0 a 1\n", "q Q0 a 1 2 t\nq Q0 b 2 1 t\nq Q0 c 3 1 t\n",
                              {"P@1", "P@2", "P@3", "AP", "P.1,2"});
  std::vector<std::uint64_t> straddled;
  for (const Column& column : m.evaluation.columns) straddled.push_back(column.straddled);
  CHECK(straddled == std::vector<std::uint64_t>{0, 1, 0, 0, 0, 1});
  CHECK(m.evaluation.account.tied_pairs == 1);
}

TEST_CASE("no query in both files") {
  CHECK(error_of("q1 0 a 1\n", "1 Q0 a 1 1 t\n") ==
        "no query of run has judgements in qrels: its first is '1', theirs 'q1': give files whose "
        "query ids agree");
}

TEST_CASE("several judges have a mean of their own") {
  EvaluationOptions options;
  options.format = QrelsFormat::kQrelsJg;
  const Measured m = measured("q j a 1\nq k b 1\nq k a 0\n", "q Q0 a 1 2 t\nq Q0 b 2 1 t\n",
                              {"map_avgjg", "P_avgjg.1"}, options);
  CHECK(m.evaluation.means == std::vector<double>{0.75, 0.5});
}

TEST_CASE("a measure must fit the form of the judgements") {
  const Qrels qrels = qrels_of("q 0 a 1\n");
  const Run run = run_of("q Q0 a 1 1 t\n");
  for (const char* name : {"prefs_simp", "map_avgjg"}) {
    const std::vector<Measure> measures = measures_of({name});
    const auto evaluation = evaluate(qrels, run, measures, {});
    REQUIRE_FALSE(evaluation);
    CHECK(evaluation.error().kind == ErrorKind::kUsage);
  }
}

TEST_CASE("librefang_7923_a_query_own_document_is_a_hit_like_others") {
  // Whoever leaves the source of a query in the collection sees it: it is unjudged and counts so.
  const Measured m = measured("q 0 a 1\n", "q Q0 q 1 9 t\nq Q0 a 2 8 t\n", {"RR", "Unjudged@1"});
  CHECK(m.evaluation.means == std::vector<double>{0.5, 1});
}

TEST_CASE("the letters of a relstring") {
  const Measured m =
      measured("q 0 a 1\nq 0 b -1\nq 0 c 12\nq 0 d 0\n",
               "q Q0 a 1 9 t\nq Q0 b 2 8 t\nq Q0 c 3 7 t\nq Q0 d 4 6 t\nq Q0 e 5 5 t\n",
               {"relstring"}, trec(Dialect::kTrec10));
  CHECK(m.evaluation.texts == std::vector<std::string>{"1.>0-"});
}
