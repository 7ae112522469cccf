#include "rag-eval/compare_report.h"

#include <cmath>

#include "cli/terminal.h"
#include "core/text.h"
#include "eval/complementarity.h"
#include "eval/effect.h"
#include "rag-eval/table.h"
#include "rag-eval/trec.h"
#include "record/writer.h"

namespace ragline {

struct CompareReport::Facts {
  Effect effect;
  Interval interval;  // of the mean difference
  double detectable = 0;
  Complementarity together;
};

std::vector<double> difference_of(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> d(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) d[i] = a[i] - b[i];
  return d;
}

CompareReport::CompareReport(ToolRun& run, const CompareSettings& settings,
                             std::vector<std::string> names)
    : run_(run), settings_(settings), names_(std::move(names)) {}

Status CompareReport::write(const Comparison& comparison, const std::vector<RunPair>& pairs) {
  std::string out;
  if (run_.format() == "jsonl") {
    for (std::size_t i = 0; i < names_.size(); ++i) out += mean_record(comparison, i);
    for (const RunPair& pair : pairs) out += pair_record(comparison, pair);
  } else {
    out = tables(comparison, pairs);
    if (run_.out.is_terminal()) out = harmless_text(out);
  }
  return run_.out.write(out);
}

CompareReport::Facts CompareReport::facts_of(const Comparison& comparison,
                                             const RunPair& pair) const {
  const auto &a = comparison.scores[pair.a], &b = comparison.scores[pair.b];
  const std::vector<double> d = difference_of(a, b);
  return {effect_of(d), bootstrap_mean(d, settings_.bootstrap).bca,
          minimum_detectable_difference(d.size(), standard_deviation(d), settings_.alpha),
          complementarity(a, b, settings_.success)};
}

std::string CompareReport::mean_record(const Comparison& comparison, std::size_t run) const {
  const BootstrapMean mean = bootstrap_mean(comparison.scores[run], settings_.bootstrap);
  std::string out;
  JsonObject record(out);
  record.add("type", "measure").add("measure", comparison.measure).add("run", names_[run]);
  if (!settings_.field.empty()) record.add("by", settings_.field).add("group", comparison.group);
  record.add("value", mean.mean).add("queries", std::uint64_t{comparison.scores[run].size()});
  record.add("low", mean.bca.low)
      .add("high", mean.bca.high)
      .add("confidence", settings_.bootstrap.confidence);
  record.add("standard_error", mean.standard_error).close();
  return out + "\n";
}

std::string CompareReport::pair_record(const Comparison& comparison, const RunPair& pair) const {
  const Facts facts = facts_of(comparison, pair);
  const Complementarity& together = facts.together;
  std::string out;
  JsonObject record(out);
  record.add("type", "comparison").add("measure", comparison.measure);
  record.add("run_a", names_[pair.a]).add("run_b", names_[pair.b]);
  if (!settings_.field.empty()) record.add("by", settings_.field).add("group", comparison.group);
  record.add("queries", std::uint64_t{comparison.scores[pair.a].size()})
      .add("difference", facts.effect.mean);
  record.add("low", facts.interval.low)
      .add("high", facts.interval.high)
      .add("confidence", settings_.bootstrap.confidence);
  record.add("test", settings_.test).add("p", pair.test.p).add("exact", pair.test.exact);
  if (settings_.correction != "none")
    record.add("correction", settings_.correction).add("p_adjusted", pair.adjusted);
  record.add("cohen_d", facts.effect.cohen_d).add("rank_biserial", facts.effect.rank_biserial);
  record.add("wins", std::uint64_t{facts.effect.wins})
      .add("ties", std::uint64_t{facts.effect.ties});
  record.add("losses", std::uint64_t{facts.effect.losses}).add("detectable", facts.detectable);
  record.add("both", std::uint64_t{together.both}).add("only_a", std::uint64_t{together.only_a});
  record.add("only_b", std::uint64_t{together.only_b})
      .add("neither", std::uint64_t{together.neither});
  record.add("union", together.union_share)
      .add("best_of_two", together.best_of_two)
      .add("phi", together.phi)
      .close();
  return out + "\n";
}

std::string CompareReport::test_text() const {
  if (settings_.test == "tukey")
    return cat("randomised Tukey HSD, ", settings_.randomisation.samples, " samples");
  std::string text = settings_.test == "t"         ? "paired t test"
                     : settings_.test == "mcnemar" ? "exact McNemar test"
                                                   : cat(settings_.test, " test");
  if (settings_.correction != "none")
    append(text, ", adjusted by ",
           settings_.correction == "holm" ? "Holm" : "Benjamini and Hochberg");
  return text;
}

std::string CompareReport::tables(const Comparison& comparison,
                                  const std::vector<RunPair>& pairs) const {
  const std::string interval =
      cat(number_text(std::round(settings_.bootstrap.confidence * 1e6) / 1e4), " % interval");
  TextTable runs({comparison.measure, "queries", "mean", interval});
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const BootstrapMean mean = bootstrap_mean(comparison.scores[i], settings_.bootstrap);
    runs.add({names_[i], cat(comparison.scores[i].size()), fixed_text(mean.mean, 4),
              interval_text(mean.bca.low, mean.bca.high, 4)});
  }
  TextTable tests(
      {"a", "b", "a - b", interval, "p", "adjusted", "d", "wins", "ties", "losses", "detectable"},
      2);
  TextTable solved({"a", "b", "both", "only a", "only b", "neither", "union", "best of two"}, 2);
  for (const RunPair& pair : pairs) {
    const Facts facts = facts_of(comparison, pair);
    tests.add({names_[pair.a], names_[pair.b], fixed_text(facts.effect.mean, 4),
               interval_text(facts.interval.low, facts.interval.high, 4), p_text(pair.test.p),
               settings_.correction == "none" ? "-" : p_text(pair.adjusted),
               fixed_text(facts.effect.cohen_d, 2), cat(facts.effect.wins), cat(facts.effect.ties),
               cat(facts.effect.losses), fixed_text(facts.detectable, 4)});
    solved.add({names_[pair.a], names_[pair.b], cat(facts.together.both),
                cat(facts.together.only_a), cat(facts.together.only_b), cat(facts.together.neither),
                fixed_text(facts.together.union_share, 4),
                fixed_text(facts.together.best_of_two, 4)});
  }
  std::string out;
  if (!settings_.field.empty())
    append(out, settings_.field, ": ", comparison.group.empty() ? "(none)" : comparison.group,
           "\n\n");
  const std::string_view format = run_.format();
  append(out, runs.render(format), "\np by ", test_text(), "\n\n", tests.render(format), "\n",
         solved.render(format), "\n");
  return out;
}

}  // namespace ragline
