#pragma once
#include "cli/tool.h"

namespace ragline {

// The table of rag-index and its subcommands.
ToolSpec index_spec();

// What each of them does.
Status run_build(ToolRun& run);
Status run_delete(ToolRun& run);
Status run_merge(ToolRun& run);
Status run_info(ToolRun& run);
Status run_check(ToolRun& run);
Status run_list(ToolRun& run);
Status run_get(ToolRun& run);
Status run_export(ToolRun& run);

}  // namespace ragline
