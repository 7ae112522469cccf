#include "eval/judged.h"

#include <map>

#include "cli/shared_flags.h"
#include "core/text.h"
#include "eval/prediction_powered.h"
#include "rag-eval/commands.h"
#include "rag-eval/end_record.h"
#include "rag-eval/scores.h"
#include "rag-eval/table.h"
#include "rag-eval/trec.h"
#include "record/writer.h"

// rag-eval judged: arithmetic over the labels of a judge, corrected by people's where there are
// some.
namespace ragline {

namespace {

// One measure's values: of the judge alone, and of both where people have labelled the row.
struct Labels {
  std::vector<double> unlabelled, judged, human;
};

std::map<std::string_view, Labels> collect(const std::vector<JudgedRow>& rows) {
  std::map<std::string_view, Labels> out;
  const auto value_of = [](const std::vector<AnswerScore>& scores,
                           std::string_view measure) -> const AnswerScore* {
    for (const AnswerScore& score : scores)
      if (score.measure == measure) return &score;
    return nullptr;
  };
  for (const JudgedRow& row : rows)
    for (const AnswerScore& score : row.scores) {
      Labels& labels = out[score.measure];
      if (const AnswerScore* human = value_of(row.human, score.measure)) {
        labels.judged.push_back(score.value);
        labels.human.push_back(human->value);
      } else {
        labels.unlabelled.push_back(score.value);
      }
    }
  std::erase_if(out, [](const auto& entry) { return entry.second.human.empty(); });
  return out;
}

Status write_powered(ToolRun& run, const std::vector<JudgedRow>& rows) {
  const auto labels = collect(rows);
  if (labels.empty()) return {};
  const double confidence = run.flags.number("confidence");
  std::string out;
  TextTable table(
      {"with people's labels", "value", "interval", "judged", "labelled", "agreement", "kappa"});
  for (const AnswerMeasure& measure : judged_measures()) {
    const auto found = labels.find(measure.name);
    if (found == labels.end()) continue;
    const auto& [unlabelled, judged, human] = found->second;
    const PoweredMean mean = prediction_powered_mean(unlabelled, judged, human, confidence);
    const JudgeAgreement agreement = judge_agreement(judged, human);
    if (run.format() == "jsonl") {
      JsonObject record(out);
      record.add("type", "measure")
          .add("measure", measure.name)
          .add("method", "prediction_powered")
          .add("value", mean.mean);
      record.add("queries", std::uint64_t{mean.judged + mean.labelled})
          .add("low", mean.interval.low)
          .add("high", mean.interval.high);
      record.add("confidence", confidence)
          .add("labelled", std::uint64_t{mean.labelled})
          .add("agreement", agreement.accuracy);
      record.add("kappa", agreement.kappa).close();
      out += '\n';
    }
    table.add({std::string(measure.name), fixed_text(mean.mean, 4),
               interval_text(mean.interval.low, mean.interval.high, 4), cat(mean.judged),
               cat(mean.labelled), fixed_text(agreement.accuracy, 4),
               fixed_text(agreement.kappa, 4)});
  }
  return write_out(run, run.format() == "jsonl" ? out : cat("\n", table.render(run.format())));
}

}  // namespace

Status run_judged(ToolRun& run, BadRows& bad) {
  RAGLINE_TRY(const CaseGroups groups, CaseGroups::open(run.flags, true, bad));
  RAGLINE_TRY(const std::vector<JudgedRow> rows, read_judged(run.flags.positionals()[0], &bad));
  std::vector<CaseScores> scored;
  std::uint64_t failures = 0, labelled = 0;
  for (const JudgedRow& row : rows) {
    failures += row.failures;
    labelled += !row.human.empty();
    scored.push_back({row.query_id, groups.of(row.query_id, row.row), row.scores, ""});
  }
  run.outcome.set_found();
  RAGLINE_CHECK(write_scores(run, judged_measures(), scored));
  RAGLINE_CHECK(write_powered(run, rows));
  if (run.format() != "jsonl") {
    if (failures > 0)
      run.note(cat(failures,
                   " labels are null: the judge was not understood; they count in no measure"));
    return {};
  }
  return run.out.write(end_record(
      {{"rows", rows.size()}, {"labelled", labelled}, {"judge_failures", failures}}, bad));
}

CommandSpec judged_spec() {
  return {
      .description = {"Computes the measures of RAGAS, ARES, RAGChecker, ALCE and UAEval4RAG "
                      "from labels that some judge gave: JSON rows, one a query, with any of "
                      "the members that the measures below name. A label is true or false, 1 or "
                      "0, or `Entailment`, `Neutral`, `Contradiction`. Null is a "
                      "label that was not understood: counted, and left out.",
                      "Where rows have `human`, an object of measures with people's own values, "
                      "a second table gives prediction-powered means: right on average "
                      "however bad the judge, and narrower than the labels alone when it is "
                      "good; with the judge's agreement and Cohen's kappa.",
                      "UAEval4RAG's six kinds of unanswerable questions are a field of the rows: "
                      "`--by kind`.",
                      measures_text(judged_measures())},
      .positionals = {{.name = "LABELS",
                       .help = "JSON rows with labels; - is standard input",
                       .required = true,
                       .completion = Completion::kFile}},
      .flags = score_flags(),
      .examples = {{"rag-eval judged labels.jsonl --by kind",
                    "Means of every measure that the labels allow."}}};
}

}  // namespace ragline
