#include "core/text.h"
#include "eval/evaluate.h"
#include "rag-eval/commands.h"
#include "rag-eval/rank_flags.h"
#include "rag-eval/rank_report.h"
#include "rag-eval/trec.h"

namespace ragline {

namespace {

// trec_eval's exit status for what went wrong in its modes: 2 for a file that cannot be read or
// parsed, 4 while a query is measured, 7 where no query is in both files.
constexpr int kTrecUnreadable = 2, kTrecQuery = 4, kTrecNoQuery = 7;

Status print_trec(ToolRun& run, const Evaluation& evaluation) {
  return run.out.write(
      trec_text(evaluation, {.per_query = run.flags.on("per-query"),
                             .summary = !run.flags.on("no-summary"),
                             .digits = static_cast<int>(run.flags.integer("digits"))}));
}

// As trec_eval does it: nothing but its lines on standard output, its exit statuses.
Status run_compatible(ToolRun& run, const EvaluationOptions& options,
                      const std::vector<Measure>& measures) {
  const auto fails_with = [&](int status, const Error& error) -> Status {
    report_error(run.spec.name, error);
    run.outcome.set_foreign(status);
    return {};
  };
  const auto& files = run.flags.positionals();
  auto qrels = Qrels::read(files[0], options.ranking.dialect, options.format);
  if (!qrels) return fails_with(kTrecUnreadable, qrels.error());
  auto hits = Run::read(files[1], {.dialect = options.ranking.dialect});
  if (!hits) return fails_with(kTrecUnreadable, hits.error());
  const auto evaluation = evaluate(*qrels, *hits, measures, options);
  if (!evaluation) {
    const Error& error = evaluation.error();
    if (error.kind == ErrorKind::kUsage) return std::unexpected(error);
    if (error.kind == ErrorKind::kNotFound) return fails_with(kTrecNoQuery, error);
    return fails_with(hits->check() ? kTrecQuery : kTrecUnreadable, error);
  }
  RAGLINE_CHECK(print_trec(run, *evaluation));
  run.note(account_text(*evaluation, options));
  if (evaluation->stopped) {
    run.outcome.set_foreign(kTrecQuery);
    report_error(run.spec.name,
                 {ErrorKind::kData, cat("query '", evaluation->account.missing.front(),
                                        "' is judged but not in the run, where trec_eval 10 stops: "
                                        "give -c, or --compat trec9")});
    return {};
  }
  run.outcome.set_found();
  return {};
}

}  // namespace

Status run_rank(ToolRun& run, BadRows& bad) {
  const Flags& flags = run.flags;
  if (flags.on("list-measures")) {
    run.outcome.set_found();
    return run.out.write(measure_list());
  }
  if (flags.positionals().size() != 2)
    return fail(ErrorKind::kUsage, "two files are needed: judgements first, then the run");
  RAGLINE_CHECK(check_standard_input(flags.positionals()));
  RAGLINE_TRY(EvaluationOptions options, evaluation_options(flags));
  RAGLINE_TRY(const std::vector<Measure> measures, chosen_measures(flags, options));
  ZScores z_scores;
  if (flags.has("z-scores")) {
    RAGLINE_TRY(z_scores, ZScores::read(flags.text("z-scores")));
    options.z_scores = &z_scores;
  }
  for (const Measure& measure : measures)
    options.ranking.aspects = options.ranking.aspects || measure.info->aspects;
  if (options.ranking.dialect != Dialect::kOurs) return run_compatible(run, options, measures);

  RAGLINE_TRY(const Qrels qrels,
              Qrels::read(flags.positionals()[0], Dialect::kOurs, options.format, &bad));
  RAGLINE_TRY(const Run hits,
              Run::read(flags.positionals()[1], {.gold = qrels.gold(),
                                                 .by_evidence_id = qrels.names_evidence(),
                                                 .no_end = flags.on("no-end"),
                                                 .bad = &bad}));
  options.bad = &bad;
  RAGLINE_TRY(const Evaluation evaluation, evaluate(qrels, hits, measures, options));
  run.outcome.set_found();
  run.summary.counts = {{"queries", evaluation.queries.size()}, {"hits", evaluation.account.hits}};
  if (flags.text("format") == "trec") {
    RAGLINE_CHECK(print_trec(run, evaluation));
    run.note(account_text(evaluation, options));
    return {};
  }
  if (!flags.has("by")) return RankReport(run, evaluation, options, bad).write();
  RAGLINE_TRY(const Grouping grouping, read_grouping(flags, qrels, bad));
  return RankReport(run, evaluation, options, bad, &grouping).write();
}

CommandSpec rank_spec() {
  return {.description = rank_description(),
          .positionals = {{.name = "QRELS",
                           .help = "judgements: TREC, BEIR TSV, JSON or case records",
                           .completion = Completion::kFile},
                          {.name = "RUN",
                           .help = "ranking: TREC run, JSON or hit records",
                           .completion = Completion::kFile}},
          .flags = rank_flags(),
          .examples = rank_examples()};
}

}  // namespace ragline
