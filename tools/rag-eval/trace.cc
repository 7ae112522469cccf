#include <algorithm>
#include <map>
#include <unordered_map>

#include "cli/shared_flags.h"
#include "core/text.h"
#include "eval/bootstrap.h"
#include "eval/trajectory.h"
#include "rag-eval/commands.h"
#include "rag-eval/end_record.h"
#include "rag-eval/scores.h"
#include "rag-eval/table.h"
#include "rag-eval/trec.h"
#include "record/reader.h"
#include "record/writer.h"

// rag-eval trace: what runs did, how long and at what cost, and what they found on the way.
namespace ragline {

namespace {

struct Inputs {
  std::vector<Trajectory> trajectories;
  std::unordered_map<std::string, AnswerCase> cases;
};

Result<Inputs> read_inputs(const Flags& flags, BadRows& bad) {
  Inputs out;
  RAGLINE_TRY(out.trajectories, read_traces(flags.positionals()[0], &bad));
  if (!flags.has("gold")) return out;
  RAGLINE_TRY(std::vector<AnswerCase> cases, read_cases(flags.text("gold"), &bad));
  for (AnswerCase& one : cases) out.cases.emplace(one.query_id, std::move(one));
  return out;
}

std::string list_json(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) append(out, out.size() > 1 ? "," : "", json_string(item));
  return out + "]";
}

// P50, P95 and P99 of what is measured in time, bytes, tokens and money.
Status write_quantiles(ToolRun& run, const std::vector<CaseScores>& scored) {
  std::map<std::string_view, std::vector<double>> values;
  for (const CaseScores& one : scored)
    for (const AnswerScore& score : one.scores)
      if (is_amount(score.measure)) values[score.measure].push_back(score.value);
  std::string out;
  TextTable table({"per query", "P50", "P95", "P99", "most"});
  for (const AnswerMeasure& measure : trajectory_measures()) {
    const auto found = values.find(measure.name);
    if (found == values.end()) continue;
    std::ranges::sort(found->second);
    const auto at = [&](double p) { return quantile(found->second, p); };
    if (run.format() == "jsonl") {
      JsonObject record(out);
      record.add("type", "quantiles")
          .add("measure", measure.name)
          .add("queries", std::uint64_t{found->second.size()});
      record.add("p50", at(0.5))
          .add("p95", at(0.95))
          .add("p99", at(0.99))
          .add("most", found->second.back())
          .close();
      out += '\n';
    }
    table.add({std::string(measure.name), fixed_text(at(0.5), 2), fixed_text(at(0.95), 2),
               fixed_text(at(0.99), 2), fixed_text(found->second.back(), 2)});
  }
  return write_out(run, run.format() == "jsonl" ? out : cat("\n", table.render(run.format())));
}

}  // namespace

Status run_trace(ToolRun& run, BadRows& bad) {
  const Flags& flags = run.flags;
  RAGLINE_CHECK(check_standard_input(
      std::vector{flags.positionals()[0], flags.text("gold"), flags.text("queries")}));
  RAGLINE_TRY(const CaseGroups groups, CaseGroups::open(flags, flags.has("gold"), bad));
  RAGLINE_TRY(const Inputs inputs, read_inputs(flags, bad));
  std::vector<CaseScores> scored;
  std::uint64_t calls = 0, without_case = 0, over_budget = 0, out_of_scope = 0;
  for (const Trajectory& trajectory : inputs.trajectories) {
    const auto found = inputs.cases.find(trajectory.query_id);
    const bool known = found != inputs.cases.end();
    const std::string_view row = known ? std::string_view(found->second.row) : std::string_view();
    const auto gold = trajectory_case(row);
    if (!gold) {
      RAGLINE_CHECK(BadRows::note(&bad, RowFault::kMember,
                                  at_line(gold.error(), flags.text("gold"), found->second.line)));
      continue;
    }
    const TrajectoryReport report = score_trajectory(trajectory, known ? &*gold : nullptr);
    calls += trajectory.calls.size();
    without_case += flags.has("gold") && !known;
    over_budget += !report.over_budget.empty();
    out_of_scope += !report.out_of_scope.empty();
    std::string members = cat("\"trace_id\":", json_string(trajectory.trace_id));
    if (!report.over_budget.empty())
      append(members, ",\"over_budget\":", list_json(report.over_budget));
    if (!report.out_of_scope.empty())
      append(members, ",\"out_of_scope\":", list_json(report.out_of_scope));
    scored.push_back({trajectory.query_id, groups.of(trajectory.query_id, row), report.scores,
                      std::move(members)});
  }
  run.outcome.set_found();
  RAGLINE_CHECK(write_scores(run, trajectory_measures(), scored));
  RAGLINE_CHECK(write_quantiles(run, scored));
  if (without_case > 0)
    run.note(cat(without_case, " trajectories belong to no case of ", flags.text("gold"),
                 ": only their effort is measured"));
  if (run.format() != "jsonl") return {};
  return run.out.write(end_record({{"trajectories", inputs.trajectories.size()},
                                   {"calls", calls},
                                   {"without_case", without_case},
                                   {"over_budget", over_budget},
                                   {"out_of_scope", out_of_scope}},
                                  bad));
}

CommandSpec trace_spec() {
  std::vector<Flag> flags = {{.name = "gold",
                              .letter = 'g',
                              .type = FlagType::kText,
                              .value = "FILE",
                              .category = "Input",
                              .help = "case records, for what should have been found",
                              .completion = Completion::kFile}};
  for (Flag& flag : score_flags()) flags.push_back(std::move(flag));
  return {.description =
              {"Reads `trace` records, as `--trace` of every tool writes them, or "
               "OpenTelemetry spans of the GenAI conventions as JSON Lines. Calls belong to "
               "the case of their `query_id`, else of their trace id. Means are over "
               "trajectories; times and costs come with P50, P95 and P99.",
               "What a call showed is its `evidence`: evidence ids, or objects with `path` "
               "and `lines`. A case may have a `budget` (calls, bytes_scanned, "
               "files, tokens, elapsed_ms, cost), an `allowed_scope` (globs of documents) and "
               "a `root_cause` (the place that explains a fault).",
               measures_text(trajectory_measures())},
          .positionals = {{.name = "TRACES",
                           .help = "trace records or spans; - is standard input",
                           .required = true,
                           .completion = Completion::kFile}},
          .flags = std::move(flags),
          .examples = {{"rag-eval trace trace.jsonl --gold gold.jsonl",
                        "Effort, time, cost and evidence found."}}};
}

}  // namespace ragline
