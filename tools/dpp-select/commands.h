#pragma once
#include <vector>

#include "cli/tool.h"

// The commands of dpp-select. Each has a source file of its own with its part of the flag table and
// its body; spec.cc lists them.
namespace ragline {

struct SelectCommand {
  CommandSpec spec;
  ToolBody body = nullptr;
};

SelectCommand select_command();     // dpp-select -k 8
SelectCommand explain_command();    // dpp-select explain
SelectCommand sample_command();     // dpp-select sample
SelectCommand train_command();      // dpp-select train
SelectCommand gradcheck_command();  // dpp-select gradcheck
SelectCommand synthetic_command();  // dpp-select synthetic

// All of them, in the order of the manual.
const std::vector<SelectCommand>& select_commands();
ToolSpec select_spec();

}  // namespace ragline
