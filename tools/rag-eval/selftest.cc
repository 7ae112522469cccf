#include <cmath>
#include <string>
#include <vector>

#include "core/text.h"
#include "eval/evaluate.h"
#include "rag-eval/commands.h"
#include "rag-eval/trec.h"

// Small examples whose values were worked out by hand, measured anew.
namespace ragline {

namespace {

struct Expectation {
  const char* measure;
  double value;
};

struct Sample {
  const char* name;
  const char* qrels;
  const char* run;
  EvaluationOptions options;
  std::vector<Expectation> expected;
};

EvaluationOptions with(Dialect dialect, Ties ties = Ties::kDocidDesc,
                       QrelsFormat format = QrelsFormat::kQrels) {
  EvaluationOptions options;
  options.ranking.dialect = dialect;
  options.ranking.ties = ties;
  options.ranking.aspects = true;
  options.format = format;
  options.complete = dialect == Dialect::kOurs;
  return options;
}

std::vector<Sample> samples() {
  const double log3 = std::log2(3);
  // Grades by rank: 0, 2, unjudged, 1; a third relevant document is not found.
  constexpr const char* kGraded = "q 0 a 0\nq 0 b 2\nq 0 d 1\nq 0 e 1\n";
  constexpr const char* kFour = "q Q0 a 1 4 t\nq Q0 b 2 3 t\nq Q0 c 3 2 t\nq Q0 d 4 1 t\n";
  const double dcg = 2 / log3 + 1 / std::log2(5), ideal = 2 + 1 / log3 + 1.0 / 2;
  // Two hits of equal score, the relevant one with the lower id.
  constexpr const char* kOne = "q 0 a 1\n";
  constexpr const char* kTied = "q Q0 a 1 1 t\nq Q0 b 2 1 t\n";
  constexpr const char* kTwoQueries = "q 0 a 1\nr 0 a 1\n";
  constexpr const char* kOneAnswered = "q Q0 b 1 2 t\nq Q0 a 2 1 t\n";
  return {
      {"graded",
       kGraded,
       kFour,
       with(Dialect::kOurs),
       {{"nDCG", dcg / ideal},
        {"nDCG@2", 2 / log3 / (2 + 1 / log3)},
        {"nDCG(dcg=exp-log2)", (3 / log3 + 1 / std::log2(5)) / (3 + 1 / log3 + 1.0 / 2)},
        {"AP", (1.0 / 2 + 2.0 / 4) / 3},
        {"RR", 1.0 / 2},
        {"RR(rel=2)", 1.0 / 2},
        {"P@2", 1.0 / 2},
        {"R@4", 2.0 / 3},
        {"Success@1", 0},
        {"Rprec", 1.0 / 3},
        {"Bpref", 0},
        {"Judged@4", 3.0 / 4},
        {"RBP(p=0.5)", 0.5 * (0.5 + 0.125)},
        {"ERR@4", 3.0 / 16 / 2 + 13.0 / 16 * (1.0 / 16) / 4},
        {"SetF", 2 * (1.0 / 2) * (2.0 / 3) / (1.0 / 2 + 2.0 / 3)}}},
      {"graded, trec_eval",
       kGraded,
       kFour,
       with(Dialect::kTrec10),
       {{"map", 1.0 / 3},
        {"ndcg", dcg / ideal},
        {"recip_rank", 1.0 / 2},
        {"bpref", 0},
        {"num_rel_ret", 2},
        {"set_P", 1.0 / 2}}},
      {"ties by id", kOne, kTied, with(Dialect::kOurs), {{"RR", 1.0 / 2}}},
      {"ties by rank", kOne, kTied, with(Dialect::kOurs, Ties::kRank), {{"RR", 1}}},
      {"ties expected",
       kOne,
       kTied,
       with(Dialect::kOurs, Ties::kExpected),
       {{"RR", 3.0 / 4}, {"P@1", 1.0 / 2}}},
      {"a query without hits", kTwoQueries, kOneAnswered, with(Dialect::kOurs), {{"RR", 1.0 / 4}}},
      {"a query without hits, trec_eval 9",
       kTwoQueries,
       kOneAnswered,
       with(Dialect::kTrec9),
       {{"recip_rank", 1.0 / 2}}},
      {"subtopics",
       "q 1 a 1\nq 1 b 1\nq 2 c 1\n",
       "q Q0 a 1 2 t\nq Q0 b 2 1 t\n",
       with(Dialect::kOurs),
       {{"alpha_nDCG@2", (1 + 0.5 / log3) / (1 + 1 / log3)}, {"StRecall@2", 1.0 / 2}}},
      {"judges",
       "q j a 1\nq k b 1\n",
       "q Q0 a 1 2 t\nq Q0 b 2 1 t\n",
       with(Dialect::kTrec10, Ties::kDocidDesc, QrelsFormat::kQrelsJg),
       {{"map_avgjg", 3.0 / 4}}},
      {"preferences",
       "q j s a 2\nq j s b 1\nq j s c 0\n",
       "q Q0 b 1 2 t\nq Q0 a 2 1 t\n",
       with(Dialect::kTrec10, Ties::kDocidDesc, QrelsFormat::kPrefs),
       {{"prefs_simp", 2.0 / 3}}},
  };
}

Result<double> measured(const Sample& sample, const char* measure) {
  const Dialect dialect = sample.options.ranking.dialect;
  const std::string text = measure;
  RAGLINE_TRY(const Qrels qrels,
              Qrels::parse(InputText("qrels", sample.qrels), dialect, sample.options.format));
  RAGLINE_TRY(const Run run, Run::parse(InputText("run", sample.run), {.dialect = dialect}));
  RAGLINE_TRY(const auto measures, dialect == Dialect::kOurs
                                       ? parse_measures(std::span(&text, 1))
                                       : parse_trec_measures(std::span(&text, 1), dialect));
  RAGLINE_TRY(const Evaluation evaluation, evaluate(qrels, run, measures, sample.options));
  return evaluation.means[0];
}

}  // namespace

Status run_selftest(ToolRun& run, BadRows&) {
  std::uint64_t agree = 0, differ = 0;
  for (const Sample& sample : samples())
    for (const auto& [measure, expected] : sample.expected) {
      RAGLINE_TRY(const double value, measured(sample, measure));
      const bool same = std::abs(value - expected) < 1e-12;
      ++(same ? agree : differ);
      RAGLINE_CHECK(
          run.out.write(cat(same ? "ok      " : "DIFFERS ", fixed_text(value, 6), "  ",
                            fixed_text(expected, 6), "  ", measure, "  (", sample.name, ")\n")));
    }
  RAGLINE_CHECK(run.out.write(cat(agree, " of ", agree + differ, " values agree\n")));
  run.outcome.set_found();
  if (differ == 0) return {};
  return fail(ErrorKind::kCorrupt, cat(differ, " values differ: this build is not to be trusted"));
}

CommandSpec selftest_spec() {
  return {.description = {"Each line has the verdict, the value, the value worked out by "
                          "hand, the measure and the sample. Ends with status 2 when one "
                          "differs."}};
}

}  // namespace ragline
