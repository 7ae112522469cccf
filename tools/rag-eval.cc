#include <span>
#include <string_view>

#include "rag-eval/commands.h"
#include "rag-eval/end_record.h"

using namespace ragline;

namespace {

Status run_command(ToolRun& run, const EvalCommand& command) {
  BadRows bad(run.flags.knows("skip-bad") && run.flags.on("skip-bad"));
  const Status status = command.body(run, bad);
  if (bad.total() > 0) {
    run.outcome.set_unreadable();
    run.note(bad_rows_text(bad));
  }
  if (!status && bad.stopped_by() && command.ends && run.format() == "jsonl")
    RAGLINE_CHECK(run.out.write(fault_record(*bad.stopped_by())));
  return status;
}

Status rag_eval(ToolRun& run) {
  for (const EvalCommand& command : eval_commands())
    if (run.flags.is_command(command.name)) return run_command(run, command);
  return {};  // the parser lets no other name through
}

// Of what the tables are needed: of the command that is named, else of the default one, else (for
// texts that a build writes) of all.
std::string_view meant_command(std::span<char* const> arguments) {
  for (const std::string_view argument : arguments)
    if (argument == "--schema" || argument.starts_with("--generate")) return "";
  for (const EvalCommand& command : eval_commands())
    if (arguments.size() > 1 && arguments[1] == command.name) return command.name;
  return "rank";
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char* const> arguments(argv, static_cast<std::size_t>(argc));
  return run_tool(argc, argv, eval_spec(meant_command(arguments)), rag_eval);
}
