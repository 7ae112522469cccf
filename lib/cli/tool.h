#pragma once
#include <string>
#include <string_view>

#include "cli/exit.h"
#include "cli/flags.h"
#include "cli/output.h"
#include "cli/trace.h"
#include "core/result.h"

// Everything between main and a tool's own work. A whole tool:
//
//   Status search(ToolRun& run) {
//     RAGLINE_TRY(auto hits, find(run.flags.text("index"), run.flags.positionals().at(0)));
//     for (const Hit& hit : hits) { ...; RAGLINE_CHECK(run.out.write(line)); }
//     run.outcome.set_found(!hits.empty());
//     return {};
//   }
//   int main(int argc, char** argv) { return run_tool(argc, argv, search_spec(), search); }
namespace ragline {

// What a body works with. Lives for the run; one thread, but for what its members say.
struct ToolRun {
  const ToolSpec& spec;
  const Flags& flags;
  Output& out;         // records, or text for people; flushed when the body returns, error or not
  Outcome& outcome;    // found, limit hit, unreadable: the exit status
  Trace& trace;        // a step for each query or phase
  TraceStep& summary;  // the trace record of the whole run, written by run_tool

  // "text" or "jsonl": --format, else text on a terminal and jsonl elsewhere.
  std::string_view format() const;
  // Whether a progress bar is wanted: neither --quiet nor --no-progress.
  bool show_progress() const;
  // A remark on standard error, unless --quiet is on; detail() needs --verbose besides.
  void note(std::string_view message) const;
  void detail(std::string_view message) const;
};

using ToolBody = Status (*)(ToolRun& run);

// Parses the command line, answers --help, --version, --schema and --generate, installs the
// handlers of SIGINT and SIGTERM (core/interrupt.h: the body polls interrupted() and returns
// kInterrupted), runs the body, flushes, writes the trace and reports the error.
// Returns the exit status: exit_code() of the body's error, else 2 for a failed write to standard
// output, else outcome.code(). A reader that has gone (| head) ends the run quietly with 0.
int run_tool(int argc, char** argv, const ToolSpec& spec, ToolBody body);

}  // namespace ragline
