#pragma once
#include "cli/tool.h"

namespace ragline {

Status corpus_grep(ToolRun& run);

}  // namespace ragline
