#pragma once
#include "cli/tool.h"
#include "core/result.h"

namespace ragline {

Status rag_embed(ToolRun& run);

}  // namespace ragline
