#include <limits>

#include "cli/shared_flags.h"
#include "core/text.h"
#include "eval/correction.h"
#include "eval/evaluate.h"
#include "eval/grouping.h"
#include "rag-eval/commands.h"
#include "rag-eval/compare_report.h"
#include "rag-eval/end_record.h"
#include "rag-eval/rank_flags.h"
#include "rag-eval/scores.h"

// rag-eval compare: every pair of runs on every measure, over all queries and by group.
namespace ragline {

namespace {

using Scores = std::vector<double>;

CompareSettings settings_of(const Flags& flags) {
  CompareSettings out;
  out.test = flags.text("test");
  out.correction = flags.text("correct");
  out.field = flags.text("by");
  const auto samples = static_cast<std::uint32_t>(flags.integer("samples"));
  const auto seed = static_cast<std::uint64_t>(flags.integer("seed"));
  out.bootstrap = {samples, flags.number("confidence"), seed};
  out.randomisation = {samples, seed};
  out.alpha = 1 - flags.number("confidence");
  out.success = flags.has("success") ? flags.number("success") : std::numeric_limits<double>::min();
  out.first_only = flags.text("pairs") == "first";
  return out;
}

TestResult test_of(const CompareSettings& settings, const Scores& d) {
  if (settings.test == "t") return paired_t_test(d);
  if (settings.test == "sign") return sign_test(d);
  if (settings.test == "wilcoxon") return wilcoxon_test(d);
  if (settings.test == "mcnemar") return mcnemar_test(d);
  return randomisation_test(d, settings.randomisation);
}

Status check_binary(const Comparison& comparison) {
  for (const Scores& run : comparison.scores)
    for (const double score : run)
      if (score != 0 && score != 1)
        return fail(ErrorKind::kUsage,
                    cat("--test mcnemar needs scores of 0 and 1, but ", comparison.measure,
                        " gives ", number_text(score), ": measure Success@k, or use --test sign"));
  return {};
}

std::vector<RunPair> pairs_of(const CompareSettings& settings, const Comparison& comparison) {
  const std::size_t runs = comparison.scores.size();
  std::vector<double> tukey;
  if (settings.test == "tukey") tukey = randomised_tukey(comparison.scores, settings.randomisation);
  std::vector<RunPair> pairs;
  std::size_t at = 0;  // among all pairs, as randomised_tukey() orders them
  for (std::size_t a = 0; a < runs; ++a)
    for (std::size_t b = a + 1; b < runs; ++b, ++at) {
      if (settings.first_only && a > 0) continue;
      RunPair pair{a, b, {}, 1};
      if (tukey.empty()) {
        pair.test = test_of(settings, difference_of(comparison.scores[a], comparison.scores[b]));
      } else {
        pair.test.p = tukey[at];
        pair.test.used = comparison.scores[a].size();
      }
      pair.adjusted = pair.test.p;
      pairs.push_back(pair);
    }
  return pairs;
}

// Over all comparisons of one group: measures times pairs.
void correct(const CompareSettings& settings, std::vector<std::vector<RunPair>>& family) {
  Scores p;
  for (const auto& pairs : family)
    for (const RunPair& pair : pairs) p.push_back(pair.test.p);
  const Scores adjusted = settings.correction == "holm" ? holm(p)
                          : settings.correction == "bh" ? benjamini_hochberg(p)
                                                        : p;
  std::size_t at = 0;
  for (auto& pairs : family)
    for (RunPair& pair : pairs) pair.adjusted = adjusted[at++];
}

// The scores of some of the queries.
Comparison part_of(const Comparison& all, const std::string& group,
                   const std::vector<std::size_t>& places) {
  Comparison out{all.measure, group, std::vector<Scores>(all.scores.size())};
  for (std::size_t run = 0; run < all.scores.size(); ++run)
    for (const std::size_t place : places) out.scores[run].push_back(all.scores[run][place]);
  return out;
}

Status write_group(CompareReport& report, const CompareSettings& settings,
                   const std::vector<Comparison>& comparisons) {
  std::vector<std::vector<RunPair>> family;
  for (const Comparison& comparison : comparisons) {
    if (settings.test == "mcnemar") RAGLINE_CHECK(check_binary(comparison));
    family.push_back(pairs_of(settings, comparison));
  }
  correct(settings, family);
  for (std::size_t i = 0; i < comparisons.size(); ++i)
    RAGLINE_CHECK(report.write(comparisons[i], family[i]));
  return {};
}

}  // namespace

Status run_compare(ToolRun& run, BadRows& bad) {
  const Flags& flags = run.flags;
  const std::vector<std::string>& files = flags.positionals();
  if (files.size() < 3)
    return fail(ErrorKind::kUsage,
                "judgements and at least two runs are needed: rag-eval compare QRELS RUN RUN ...");
  RAGLINE_CHECK(check_standard_input(files));
  const CompareSettings settings = settings_of(flags);
  if (settings.test == "tukey" && settings.correction != "none")
    return fail(ErrorKind::kUsage,
                "--test tukey corrects for the number of pairs itself: leave --correct out");
  RAGLINE_TRY(const std::vector<Measure> measures, flags.list("measure").empty()
                                                       ? parse_measures(default_measures())
                                                       : parse_measures(flags.list("measure")));
  EvaluationOptions options;
  options.bad = &bad;
  options.ranking.level = static_cast<double>(flags.integer("level"));
  for (const Measure& measure : measures)
    options.ranking.aspects = options.ranking.aspects || measure.info->aspects;

  RAGLINE_TRY(const Qrels qrels, Qrels::read(files[0], Dialect::kOurs, QrelsFormat::kQrels, &bad));
  std::vector<Comparison> comparisons;
  std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
  std::uint64_t queries = 0;
  for (std::size_t i = 1; i < files.size(); ++i) {
    RAGLINE_TRY(const Run hits, Run::read(files[i], {.gold = qrels.gold(),
                                                     .by_evidence_id = qrels.names_evidence(),
                                                     .no_end = flags.on("no-end"),
                                                     .bad = &bad}));
    RAGLINE_TRY(const Evaluation evaluation, evaluate(qrels, hits, measures, options));
    if (i == 1) {
      queries = evaluation.queries.size();
      for (const Column& column : evaluation.columns) {
        if (column.measure->info->mean != Mean::kArithmetic)
          return fail(
              ErrorKind::kUsage,
              cat("-m ", column.name, ": it has no mean over queries: compare another measure"));
        comparisons.push_back({column.name, "", {}});
      }
      if (!settings.field.empty()) {
        RAGLINE_TRY(const Grouping grouping, read_grouping(flags, qrels, bad));
        groups = grouping.groups(evaluation);
      }
    }
    for (std::size_t column = 0; column < comparisons.size(); ++column)
      comparisons[column].scores.push_back(evaluation.column(column));
    if (evaluation.account.only_judged > 0)
      run.note(cat(files[i], ": ", evaluation.account.only_judged,
                   " judged queries without hits count as empty lists"));
  }
  run.outcome.set_found();
  CompareReport report(run, settings, {files.begin() + 1, files.end()});
  if (settings.field.empty()) RAGLINE_CHECK(write_group(report, settings, comparisons));
  for (const auto& [group, places] : groups) {
    std::vector<Comparison> part;
    for (const Comparison& all : comparisons) part.push_back(part_of(all, group, places));
    RAGLINE_CHECK(write_group(report, settings, part));
  }
  if (run.format() != "jsonl") return {};
  return run.out.write(end_record({{"queries", queries}, {"runs", files.size() - 1}}, bad));
}

namespace {

Flag choice(std::string name, std::vector<std::string> choices, std::string fallback,
            std::string help, std::string details) {
  return {.name = std::move(name),
          .type = FlagType::kChoice,
          .value = "NAME",
          .choices = std::move(choices),
          .fallback = std::move(fallback),
          .category = "Comparison",
          .help = std::move(help),
          .details = std::move(details)};
}

std::vector<Flag> compare_flags() {
  Flag measure{.name = "measure",
               .letter = 'm',
               .type = FlagType::kText,
               .repeatable = true,
               .value = "MEASURE",
               .category = "Measures",
               .help = "what to compare; commas separate several",
               .details = "As for rag-eval itself; `rag-eval --list-measures` shows them."};
  Flag level{.name = "level",
             .letter = 'l',
             .type = FlagType::kInteger,
             .value = "N",
             .fallback = "1",
             .category = "Measures",
             .help = "least grade that is relevant"};
  Flag by{.name = "by",
          .type = FlagType::kText,
          .value = "FIELD",
          .category = "Comparison",
          .help = "compare by the values of a field of the queries",
          .details =
              "Such as `question_type` or `metadata.language`. Without `--queries` the "
              "judgements are looked into, where they are `case` records."};
  Flag queries = queries_flag();
  queries.category = "Comparison";
  queries.help = "file with the fields of the queries, for --by";
  Flag samples = samples_flag("Comparison"), confidence = confidence_flag("Comparison");
  samples.least = 1;
  samples.help = "random samples of intervals and tests";
  confidence.help = "confidence of the intervals";
  Flag success{.name = "success",
               .type = FlagType::kNumber,
               .value = "X",
               .category = "Comparison",
               .help = "score from which a query counts as solved",
               .details =
                   "For the table of what both runs, one of them and neither solve. Without it any "
                   "score above 0 does."};
  Flag format = format_flag();
  format.choices = {"text", "jsonl", "tsv", "markdown"};
  return {std::move(measure),
          std::move(level),
          choice("test", {"t", "sign", "wilcoxon", "randomisation", "mcnemar", "tukey"},
                 "randomisation", "significance test, two-sided, over queries",
                 "`randomisation` is exact up to 30 queries that differ and sampled above; "
                 "`wilcoxon` exact up to 60, ties included; `sign` and `mcnemar` "
                 "(for scores of 0 and 1) always. `tukey` is the randomised HSD test of all runs "
                 "at once."),
          choice("correct", {"none", "holm", "bh"}, "none", "correction for several comparisons",
                 "Over all pairs and measures, within each group: Holm keeps the chance of any "
                 "false alarm, Benjamini and Hochberg (`bh`) their share."),
          choice("pairs", {"all", "first"}, "all",
                 "compare all pairs, or the first run with each other", ""),
          std::move(by),
          std::move(queries),
          skip_bad_flag(),
          no_end_flag(),
          std::move(success),
          std::move(samples),
          std::move(confidence),
          seed_flag(),
          std::move(format),
          quiet_flag()};
}

}  // namespace

CommandSpec compare_spec() {
  return {.description = {"Measures several runs on the same judgements and compares each "
                          "pair, query by query: the mean difference with its bootstrap "
                          "interval (BCa), a significance test, the effect size (Cohen's d of "
                          "the differences), wins, ties and losses.",
                          "`detectable` is the smallest difference that a t test on as many "
                          "queries would find 8 times in 10; a smaller one needs more "
                          "queries. `union` is the share of queries that at least one of two "
                          "runs solves, `best of two` the mean of the better score: what a "
                          "perfect mix of the two would reach."},
          .positionals = {{.name = "QRELS",
                           .help = "judgements: TREC, BEIR TSV, JSON or case records",
                           .required = true,
                           .completion = Completion::kFile},
                          {.name = "RUN",
                           .help = "two runs or more: TREC, JSON or hit records",
                           .required = true,
                           .repeatable = true,
                           .completion = Completion::kFile}},
          .flags = compare_flags(),
          .examples = {
              {"rag-eval compare qrels.tsv bm25.trec hybrid.trec -m nDCG@10",
               "Is the second run better?"},
              {"rag-eval compare qrels.tsv *.trec -m nDCG@10 --test tukey", "All runs at once."}}};
}

}  // namespace ragline
