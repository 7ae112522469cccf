#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "cases.h"
#include "core/text.h"

using namespace ragline;

namespace {

// The slow twin: the mean over all orders of each group of ties, by going through all of them.
double mean_over_orders(const std::string& qrels, std::vector<std::pair<std::string, int>> hits,
                        const std::string& measure) {
  std::ranges::sort(hits);
  double sum = 0, orders = 0;
  do {
    // Only orders that keep the scores descending.
    if (!std::ranges::is_sorted(hits, std::greater(), [](const auto& hit) { return hit.second; }))
      continue;
    std::string run;
    for (std::size_t i = 0; i < hits.size(); ++i)
      append(run, "q Q0 ", hits[i].first, " 0 ", 100 - i, " t\n");
    sum += mean_value(qrels, run, measure);
    ++orders;
  } while (std::ranges::next_permutation(hits).found);
  return sum / orders;
}

}  // namespace

TEST_CASE("pytrec_eval_56_anserini_1523_expected_values_are_means_over_all_orders") {
  std::mt19937 random(3);
  EvaluationOptions expected;
  expected.ranking.ties = Ties::kExpected;
  for (int round = 0; round < 12; ++round) {
    INFO("seed 3, round " << round);
    std::string qrels = "q 0 other 2\n", run;
    std::vector<std::pair<std::string, int>> hits;
    for (int i = 0; i < 5; ++i) {
      const int score = random() % 2, grade = static_cast<int>(random() % 4) - 1;
      hits.emplace_back(cat("d", i), score);
      append(run, "q Q0 d", i, " 0 ", score, " t\n");
      if (grade >= 0) append(qrels, "q 0 d", i, " ", grade, "\n");
    }
    for (const char* measure :
         {"nDCG@3", "nDCG(dcg=exp-log2)@3", "DCG", "AP", "AP@3", "RR", "RR(rel=2)@2", "P@2", "R@3",
          "Success@2", "Success(rel=2)@4", "Rprec", "RBP(p=0.7)", "Judged@3", "Unjudged@2", "SetP",
          "SetF", "SetAP", "NumRelRet"}) {
      INFO(measure);
      CHECK(mean_value(qrels, run, measure, expected) ==
            Approx(mean_over_orders(qrels, hits, measure)).margin(1e-12));
    }
  }
}

TEST_CASE("without ties the expected value is the plain one") {
  EvaluationOptions expected;
  expected.ranking.ties = Ties::kExpected;
  const std::string qrels = "q 0 a 2\nq 0 b 1\n",
                    run = "q Q0 x 1 3 t\nq Q0 a 2 2 t\nq Q0 b 3 1 t\n";
  for (const MeasureInfo& info : our_measures()) {
    if (!info.expected) continue;
    const std::string name = std::string(info.name) + (info.needs_cutoff ? "@2" : "");
    INFO(name);
    CHECK(mean_value(qrels, run, name, expected) == Approx(mean_value(qrels, run, name)));
  }
}

TEST_CASE("measures without an expected value say so") {
  const Qrels qrels = qrels_of("q 0 a 1\n");
  const Run run = run_of("q Q0 a 1 1 t\n");
  EvaluationOptions options;
  options.ranking.ties = Ties::kExpected;
  const std::vector<Measure> measures = measures_of({"ERR@10"});
  const auto evaluation = evaluate(qrels, run, measures, options);
  REQUIRE_FALSE(evaluation);
  CHECK(evaluation.error().kind == ErrorKind::kUsage);
  CHECK(evaluation.error().message.find("ERR: has no expected value") == 0);
}
