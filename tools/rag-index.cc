#include <iterator>
#include <string_view>

#include "rag-index/commands.h"

using namespace ragline;

namespace {

struct Command {
  std::string_view name;
  ToolBody body;
};
constexpr Command kCommands[] = {{"build", run_build}, {"delete", run_delete}, {"merge", run_merge}, {"info", run_info},
                                 {"check", run_check}, {"list", run_list},     {"get", run_get},     {"export", run_export}};

// The table has the same names, and the parser lets no other through.
Status rag_index(ToolRun& run) {
  const Command* command = std::begin(kCommands);
  while (!run.flags.is_command(command->name)) ++command;
  return command->body(run);
}

}  // namespace

int main(int argc, char** argv) { return run_tool(argc, argv, index_spec(), rag_index); }
