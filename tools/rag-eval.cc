#include "rag-eval/commands.h"

using namespace ragline;

namespace {

Status rag_eval(ToolRun& run) {
  for (const EvalCommand& command : eval_commands())
    if (run.flags.is_command(command.spec.name)) return command.body(run);
  return {};  // the parser lets no other name through
}

}  // namespace

int main(int argc, char** argv) { return run_tool(argc, argv, eval_spec(), rag_eval); }
