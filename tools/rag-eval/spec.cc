#include <algorithm>

#include "cli/shared_flags.h"
#include "rag-eval/commands.h"

namespace ragline {

namespace {

constexpr EvalCommand kCommands[] = {
    {"rank", "measure a ranking against judgements", rank_spec, run_rank},
    {"compare", "test whether runs differ by more than chance", compare_spec, run_compare},
    {"answers", "measure answers against gold answers, without a model", answers_spec, run_answers},
    {"citations", "check citations and what their sentences rest on", citations_spec,
     run_citations},
    {"judged", "measure by the labels of a judge, and correct it by people's", judged_spec,
     run_judged},
    {"trace", "measure what runs did and found, call by call", trace_spec, run_trace},
    {"failures", "name the stage of a pipeline that lost the evidence", failures_spec,
     run_failures},
    {"report", "put results on one page", report_spec, run_report, false},
    {"selftest", "measure the built-in examples and compare", selftest_spec, run_selftest, false},
};

}  // namespace

Status check_standard_input(std::span<const std::string> files) {
  if (std::ranges::count(files, "-") < 2) return {};
  return fail(ErrorKind::kUsage, "standard input can be read once: give a file for the other");
}

std::span<const EvalCommand> eval_commands() { return kCommands; }

ToolSpec eval_spec(std::string_view meant) {
  ToolSpec spec{
      .name = "rag-eval",
      .summary = "measure rankings, answers and citations",
      .description =
          {"Compares what was found with what should have been found. Without the name of a "
           "command it measures a ranking: judgements first, run second, as in trec_eval."},
      .flags = {allow_partial_flag(), trace_flag(), trace_content_flag()},
      .default_command = "rank",
      .see_also = {"rag-search(1)"},
  };
  for (const EvalCommand& command : kCommands) {
    CommandSpec& made = spec.commands.emplace_back();
    if (meant.empty() || meant == command.name) made = command.spec();
    made.name = command.name;
    made.summary = command.summary;
  }
  return spec;
}

}  // namespace ragline
