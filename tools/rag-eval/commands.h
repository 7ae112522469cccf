#pragma once
#include <span>
#include <string>
#include <string_view>

#include "cli/tool.h"
#include "eval/bad_rows.h"

// The commands of rag-eval. Each has a source file of its own with its part of the flag table and
// its body; spec.cc lists them.
namespace ragline {

struct EvalCommand {
  std::string_view name, summary;
  CommandSpec (*spec)() = nullptr;  // all but these two
  // Reads its rows with `bad`, which skips when --skip-bad is on.
  Status (*body)(ToolRun& run, BadRows& bad) = nullptr;
  bool ends = true;  // as jsonl it writes records that an `end` record closes
};

// All of them, in the order of the manual.
std::span<const EvalCommand> eval_commands();
// With the command `meant` in full and the others by name and summary, which is all that reading
// its command line and its help need; all in full when it is empty. Half of the time of a small
// evaluation goes into tables, so that none is made that nobody reads.
ToolSpec eval_spec(std::string_view meant);

// kUsage when "-" stands for several of the files.
Status check_standard_input(std::span<const std::string> files);

CommandSpec rank_spec(), compare_spec(), answers_spec(), citations_spec(), judged_spec(),
    trace_spec(), failures_spec(), report_spec(), selftest_spec();

Status run_rank(ToolRun& run, BadRows& bad);       // rag-eval QRELS RUN
Status run_compare(ToolRun& run, BadRows& bad);    // rag-eval compare QRELS RUN...
Status run_answers(ToolRun& run, BadRows& bad);    // rag-eval answers ANSWERS --gold GOLD
Status run_citations(ToolRun& run, BadRows& bad);  // rag-eval citations ANSWERS
Status run_judged(ToolRun& run, BadRows& bad);     // rag-eval judged LABELS
Status run_trace(ToolRun& run, BadRows& bad);      // rag-eval trace TRACES
Status run_failures(ToolRun& run, BadRows& bad);   // rag-eval failures --gold GOLD
Status run_report(ToolRun& run, BadRows& bad);     // rag-eval report RESULTS
Status run_selftest(ToolRun& run, BadRows& bad);   // rag-eval selftest

}  // namespace ragline
