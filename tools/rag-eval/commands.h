#pragma once
#include <vector>

#include "cli/tool.h"

// The commands of rag-eval. Each has a source file of its own with its part of the flag table and
// its body; spec.cc lists them.
namespace ragline {

struct EvalCommand {
  CommandSpec spec;
  ToolBody body = nullptr;
};

EvalCommand rank_command();       // rag-eval QRELS RUN
EvalCommand compare_command();    // rag-eval compare QRELS RUN...
EvalCommand answers_command();    // rag-eval answers ANSWERS --gold GOLD
EvalCommand citations_command();  // rag-eval citations ANSWERS
EvalCommand judged_command();     // rag-eval judged LABELS
EvalCommand trace_command();      // rag-eval trace TRACES
EvalCommand failures_command();   // rag-eval failures --gold GOLD
EvalCommand report_command();     // rag-eval report RESULTS
EvalCommand selftest_command();   // rag-eval selftest

// All of them, in the order of the manual.
const std::vector<EvalCommand>& eval_commands();
ToolSpec eval_spec();

}  // namespace ragline
