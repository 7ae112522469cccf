#pragma once
#include "cli/tool.h"

namespace ragline {

// The tool: from parsed flags to records, text or a run on standard output.
Status rag_search(ToolRun& run);

}  // namespace ragline
