#include "cli/shared_flags.h"
#include "rag-eval/commands.h"

namespace ragline {

const std::vector<EvalCommand>& eval_commands() {
  static const std::vector<EvalCommand> commands{
      rank_command(),  compare_command(),  answers_command(), citations_command(), judged_command(),
      trace_command(), failures_command(), report_command(),  selftest_command()};
  return commands;
}

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
  for (const EvalCommand& command : eval_commands()) spec.commands.push_back(command.spec);
  return spec;
}

}  // namespace ragline
