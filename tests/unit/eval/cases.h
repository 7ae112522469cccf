#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "eval/evaluate.h"

// What the tests of rankings share: files in memory, and one value of one query.
namespace ragline {

inline Qrels qrels_of(const std::string& text, Dialect dialect = Dialect::kOurs,
                      QrelsFormat format = QrelsFormat::kQrels) {
  auto qrels = Qrels::parse(InputText("qrels", text), dialect, format);
  if (!qrels) INFO(qrels.error().message);
  REQUIRE(qrels);
  return std::move(*qrels);
}

inline Run run_of(const std::string& text, const RunOptions& options = {}) {
  auto run = Run::parse(InputText("run", text), options);
  if (!run) INFO(run.error().message);
  REQUIRE(run);
  return std::move(*run);
}

inline std::vector<Measure> measures_of(const std::vector<std::string>& texts,
                                        Dialect dialect = Dialect::kOurs) {
  auto measures =
      dialect == Dialect::kOurs ? parse_measures(texts) : parse_trec_measures(texts, dialect);
  if (!measures) INFO(measures.error().message);
  REQUIRE(measures);
  return std::move(*measures);
}

// A measure of ours with no more than it needs to be understood.
inline std::string written(const MeasureInfo& info, std::string_view cutoff) {
  std::string text(info.name);
  if (info.parameters.find("max_rel") != std::string_view::npos) text += "(max_rel=3)";
  if (info.needs_cutoff) text += cutoff;
  return text;
}

// The mean of one measure over the queries that count.
inline double mean_value(const std::string& qrels, const std::string& run,
                         const std::string& measure, EvaluationOptions options = {}) {
  const Qrels judged = qrels_of(qrels, options.ranking.dialect, options.format);
  const Run hits = run_of(run, {.dialect = options.ranking.dialect,
                                .gold = judged.gold(),
                                .by_evidence_id = judged.names_evidence()});
  const std::vector<Measure> measures = measures_of({measure}, options.ranking.dialect);
  options.ranking.aspects = true;
  const auto evaluation = evaluate(judged, hits, measures, options);
  if (!evaluation) INFO(evaluation.error().message);
  REQUIRE(evaluation);
  REQUIRE(evaluation->means.size() == 1);
  return evaluation->means[0];
}

inline std::string error_of(const std::string& qrels, const std::string& run,
                            const EvaluationOptions& options = {}) {
  const auto judged =
      Qrels::parse(InputText("qrels", qrels), options.ranking.dialect, options.format);
  if (!judged) return judged.error().message;
  const auto hits = Run::parse(InputText("run", run),
                               {.dialect = options.ranking.dialect, .gold = judged->gold()});
  if (!hits) return hits.error().message;
  const std::vector<Measure> measures = measures_of({"AP"});
  const auto evaluation = evaluate(*judged, *hits, measures, options);
  return evaluation ? "" : evaluation.error().message;
}

}  // namespace ragline
