#pragma once
#include "cli/tool.h"

namespace ragline {

Status corpus_read(ToolRun& run);

}  // namespace ragline
