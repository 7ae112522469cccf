#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "cases.h"
#include "core/text.h"
#include "eval/tie_groups.h"

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
  for (int round = 0; round < 6; ++round) {
    INFO("seed 3, round " << round);
    std::string qrels = "q 0 other 2\n", run;
    std::vector<std::pair<std::string, int>> hits;
    for (int i = 0; i < 5; ++i) {
      const int score = random() % 2, grade = static_cast<int>(random() % 4) - 1;
      hits.emplace_back(cat("d", i), score);
      append(run, "q Q0 d", i, " 0 ", score, " t\n");
      if (grade >= 0) append(qrels, "q 0 d", i, " ", grade, "\n");
    }
    for (const char* measure : {"nDCG@3",
                                "nDCG(dcg=exp-log2)@3",
                                "DCG",
                                "AP",
                                "AP@3",
                                "RR",
                                "RR(rel=2)@2",
                                "P@2",
                                "R@3",
                                "Success@2",
                                "Success(rel=2)@4",
                                "Rprec",
                                "RBP(p=0.7)",
                                "Judged@3",
                                "Unjudged@2",
                                "SetP",
                                "SetF",
                                "SetAP",
                                "NumRelRet",
                                "F1@2",
                                "Bpref",
                                "Bpref(rel=2)",
                                "infAP",
                                "ERR",
                                "ERR@3",
                                "Accuracy",
                                "Accuracy@2",
                                "Accuracy(rel=2)@4",
                                "SDCG(max_rel=3)@3",
                                "INSQ(max_rel=2)",
                                "INSQ(T=2,min_rel=1,max_rel=3)",
                                "P(judged_only=True)@2",
                                "AP(judged_only=True)",
                                "nDCG(judged_only=True)@2",
                                "RR(judged_only=True)",
                                "SetP(judged_only=True)",
                                "Success(rel=2,judged_only=True)@1"}) {
      INFO(measure);
      CHECK(mean_value(qrels, run, measure, expected) ==
            Approx(mean_over_orders(qrels, hits, measure)).margin(1e-12));
    }
  }
}

TEST_CASE("expected values of subtopic measures are means over all orders") {
  std::mt19937 random(4);
  EvaluationOptions expected;
  expected.ranking.ties = Ties::kExpected;
  for (int round = 0; round < 6; ++round) {
    INFO("seed 4, round " << round);
    std::string qrels = "q 1 other 1\nq 4 other 1\n", run;
    std::vector<std::pair<std::string, int>> hits;
    for (int i = 0; i < 5; ++i) {
      const int score = static_cast<int>(random() % 2);
      hits.emplace_back(cat("d", i), score);
      append(run, "q Q0 d", i, " 0 ", score, " t\n");
      for (int topic = 1; topic <= 3; ++topic)
        if (random() % 3 == 0) append(qrels, "q ", topic, " d", i, " 1\n");
    }
    for (const char* measure :
         {"alpha_nDCG", "alpha_nDCG(alpha=0.3)@3", "alpha_DCG@3", "ERR_IA@4", "nERR_IA@3", "NRBP",
          "nNRBP(alpha=0.9)", "AP_IA", "StRecall", "StRecall@2", "P_IA@3", "EvidenceRecall@1",
          "MultiHop_Hits@2", "MultiHop_MRR@4", "MultiHop_MAP@3"}) {
      INFO(measure);
      CHECK(mean_value(qrels, run, measure, expected) ==
            Approx(mean_over_orders(qrels, hits, measure)).margin(1e-12));
    }
  }
}

TEST_CASE("chances of a count add up, and do not underflow") {
  for (std::size_t n = 1; n < 8; ++n)
    for (std::size_t m = 0; m <= n; ++m)
      for (std::size_t looked = 0; looked <= n; ++looked) {
        // The slow twin: all subsets of `looked` of n, the first m of which are marked.
        std::vector<double> counts(std::min(m, looked) + 1);
        double subsets = 0;
        for (std::uint32_t set = 0; set < (1u << n); ++set) {
          if (static_cast<std::size_t>(std::popcount(set)) != looked) continue;
          ++counts[static_cast<std::size_t>(std::popcount(set & ((1u << m) - 1)))];
          ++subsets;
        }
        const CountChances found = count_chances(n, m, looked);
        for (std::size_t j = 0; j < counts.size(); ++j) {
          const std::size_t place = j - found.first;  // wraps around below the first
          const double chance = place < found.chances.size() ? found.chances[place] : 0;
          CHECK(chance == Approx(counts[j] / subsets).margin(1e-14));
        }
      }
  const CountChances large = count_chances(100000, 20000, 50000);
  CHECK(large.mean([](std::size_t) { return 1.0; }) == Approx(1));
  CHECK(large.mean([](std::size_t j) { return static_cast<double>(j); }) == Approx(10000));
  // n p q (n - looked) / (n - 1)
  CHECK(large.mean([](std::size_t j) { return std::pow(static_cast<double>(j) - 10000, 2); }) ==
        Approx(4000.04));
  CHECK(large.chances.size() < 2000);
}

TEST_CASE("many tied hits, most of them relevant, take no quadratic time") {
  EvaluationOptions expected;
  expected.ranking.ties = Ties::kExpected;
  std::string qrels, run;
  for (int i = 0; i < 6000; ++i) {
    append(qrels, "q 0 d", i, " ", i % 3, "\n");
    append(run, "q Q0 d", i, " 0 1 t\n");
  }
  // Far down a random order P is the share of the relevant, 2/3.
  CHECK(mean_value(qrels, run, "infAP", expected) == Approx(2.0 / 3).epsilon(0.001));
  CHECK(mean_value(qrels, run, "AP", expected) == Approx(2.0 / 3).epsilon(0.001));
  // s is 1/16 and 3/16 for a third each: a hit stops the reader with 1/12.
  double err = 0;
  for (int rank = 1; rank < 400; ++rank) err += std::pow(11.0 / 12, rank - 1) / 12 / rank;
  CHECK(mean_value(qrels, run, "ERR", expected) == Approx(err).epsilon(0.001));
}

TEST_CASE("without ties the expected value is the plain one") {
  EvaluationOptions expected;
  expected.ranking.ties = Ties::kExpected;
  const std::string qrels = "q 0 a 2\nq 0 b 1\n",
                    run = "q Q0 x 1 3 t\nq Q0 a 2 2 t\nq Q0 b 3 1 t\n";
  for (const MeasureInfo& info : our_measures()) {
    if (!info.expected) continue;
    const std::string name = written(info, "@2");
    INFO(name);
    CHECK(mean_value(qrels, run, name, expected) == Approx(mean_value(qrels, run, name)));
  }
}

TEST_CASE("measures without an expected value say so") {
  const Qrels qrels = qrels_of("q 0 a 1\n");
  const Run run = run_of("q Q0 a 1 1 t\n");
  EvaluationOptions options;
  options.ranking.ties = Ties::kExpected;
  for (const char* name : {"IPrec@0.1", "Compat", "BPM(max_rel=1)@5", "INST(max_rel=1)",
                           "NERR8(max_rel=1)@5", "NERR9(max_rel=1)@5", "NERR10(max_rel=1)",
                           "NERR11(max_rel=1)", "AllEvidence@5", "HopCoverage@5"}) {
    const std::vector<Measure> measures = measures_of({name});
    const auto evaluation = evaluate(qrels, run, measures, options);
    REQUIRE_FALSE(evaluation);
    CHECK(evaluation.error().kind == ErrorKind::kUsage);
    CHECK(evaluation.error().message.starts_with(
        cat(measures[0].info->name, ": has no expected value")));
  }
}

TEST_CASE("with gold evidence only measures of evidence have expected values") {
  const Qrels qrels = qrels_of("{\"query_id\":\"q\",\"gold_evidence\":[{\"path\":\"a\"}]}\n");
  const Run run = run_of("q Q0 a 1 1 t\nq Q0 b 2 1 t\n");
  EvaluationOptions options;
  options.ranking.ties = Ties::kExpected;
  const std::vector<Measure> ndcg = measures_of({"nDCG@10"});
  const auto refused = evaluate(qrels, run, ndcg, options);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::kUsage);
  options.ranking.aspects = true;
  const std::vector<Measure> recall = measures_of({"EvidenceRecall@1"});
  CHECK(evaluate(qrels, run, recall, options));
}
