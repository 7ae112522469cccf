#include "dpp-select/commands.h"

using namespace ragline;

namespace {

Status dpp_select(ToolRun& run) {
  for (const SelectCommand& command : select_commands())
    if (run.flags.is_command(command.spec.name)) return command.body(run);
  return {};  // the parser lets no other name through
}

}  // namespace

int main(int argc, char** argv) { return run_tool(argc, argv, select_spec(), dpp_select); }
