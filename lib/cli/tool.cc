#include "cli/tool.h"

#include <unistd.h>

#include <algorithm>

#include "cli/help.h"
#include "cli/terminal.h"
#include "core/interrupt.h"
#include "core/text.h"

namespace ragline {

namespace {

// Not every tool has every shared flag.
bool is_on(const Flags& flags, std::string_view name) {
  return flags.knows(name) && flags.on(name);
}

std::string generated_text(const ToolSpec& spec, std::string_view what) {
  if (what == "man") return man_page(spec);
  if (what == "bash") return bash_completion(spec);
  return what == "zsh" ? zsh_completion(spec) : fish_completion(spec);
}

std::string requested_text(const ToolSpec& spec, const Flags& flags) {
  switch (flags.request()) {
    case Request::kHelp:
      return help_text(spec, flags.command(), std::min(terminal_width(STDOUT_FILENO), 100));
    case Request::kVersion:
      return cat(spec.name, " ", RAGLINE_VERSION, "\n");
    case Request::kSchema:
      return schema_json(spec);
    case Request::kGenerate:
      return generated_text(spec, flags.text("generate"));
    case Request::kRun:
      break;
  }
  return "";
}

// Says what went wrong and returns the status for it. A reader that has gone (| head) is no error:
// it had enough.
int report(const ToolSpec& spec, const Output& out, const Error& error) {
  if (out.reader_gone() && error.message.empty()) return kExitFound;
  report_error(spec.name, error);
  if (error.kind == ErrorKind::kUsage) report_note(spec.name, cat("try '", spec.name, " --help'"));
  return exit_code(error.kind);
}

}  // namespace

std::string_view ToolRun::format() const {
  if (flags.knows("format") && flags.has("format")) return flags.text("format");
  return out.is_terminal() ? "text" : "jsonl";
}

bool ToolRun::show_progress() const {
  return !is_on(flags, "quiet") && !is_on(flags, "no-progress");
}

void ToolRun::note(std::string_view message) const {
  if (!is_on(flags, "quiet")) report_note(spec.name, message);
}

void ToolRun::detail(std::string_view message) const {
  if (is_on(flags, "verbose")) note(message);
}

int run_tool(int argc, char** argv, const ToolSpec& spec, ToolBody body) {
  Output out;
  const auto flags =
      parse_flags(spec, std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  if (!flags) return report(spec, out, flags.error());
  if (flags->request() != Request::kRun) {
    Status status = out.write(requested_text(spec, *flags));
    if (status) status = out.flush();
    return status ? kExitFound : report(spec, out, status.error());
  }
  auto trace = Trace::open(spec, *flags);
  if (!trace) return report(spec, out, trace.error());
  install_interrupt_handlers();
  Outcome outcome;
  outcome.set_allow_partial(is_on(*flags, "allow-partial"));
  TraceStep summary;
  ToolRun run{spec, *flags, out, outcome, *trace, summary};

  Status status = body(run);
  const Status flushed = out.flush();  // what was written before an error is still true
  if (status) status = flushed;
  int code = status ? outcome.code() : report(spec, out, status.error());
  if (!status && code != kExitFound) summary.error = error_kind_name(status.error().kind);
  if (Status traced = trace->finish(summary, code); !traced)
    code = report(spec, out, traced.error());
  return code;
}

}  // namespace ragline
