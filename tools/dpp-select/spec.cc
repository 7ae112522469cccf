#include "cli/shared_flags.h"
#include "dpp-select/commands.h"

namespace ragline {

const std::vector<SelectCommand>& select_commands() {
  static const std::vector<SelectCommand> commands{select_command(),    explain_command(),
                                                   sample_command(),    train_command(),
                                                   gradcheck_command(), synthetic_command()};
  return commands;
}

ToolSpec select_spec() {
  ToolSpec spec{
      .name = "dpp-select",
      .summary = "choose a dense and diverse subset of the hits",
      .description =
          {"From ranked candidates chooses the set that covers the question, not ten copies of one "
           "fact. Reads `query`, `hit` and `end` records, as rag-search writes them, many queries "
           "in "
           "one stream, and writes them with the chosen hits only, in the order of choice. A hit "
           "keeps its `score`; `scores` gets the method's gain beside it.",
           "Without the name of a command it selects."},
      .flags = {skip_bad_flag(), no_end_flag(), allow_partial_flag(), quiet_flag(), trace_flag(),
                trace_content_flag()},
      .default_command = "select",
      .see_also = {"rag-search(1)", "rag-eval(1)"},
  };
  for (const SelectCommand& command : select_commands()) spec.commands.push_back(command.spec);
  return spec;
}

}  // namespace ragline
