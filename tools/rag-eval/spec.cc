#include "cli/shared_flags.h"
#include "rag-eval/commands.h"

namespace ragline {

namespace {

constexpr EvalCommand kCommands[] = {
    {"rank", rank_spec, run_rank},
    {"compare", compare_spec, run_compare},
    {"answers", answers_spec, run_answers},
    {"citations", citations_spec, run_citations},
    {"judged", judged_spec, run_judged},
    {"trace", trace_spec, run_trace},
    {"failures", failures_spec, run_failures},
    {"report", report_spec, run_report, false},
    {"selftest", selftest_spec, run_selftest, false},
};

}  // namespace

std::span<const EvalCommand> eval_commands() { return kCommands; }

ToolSpec eval_spec() {
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
  for (const EvalCommand& command : eval_commands()) spec.commands.push_back(command.spec());
  return spec;
}

}  // namespace ragline
