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

EvalCommand rank_command();      // rag-eval QRELS RUN
EvalCommand selftest_command();  // rag-eval selftest

// All of them, in the order of the manual.
const std::vector<EvalCommand>& eval_commands();
ToolSpec eval_spec();

}  // namespace ragline
