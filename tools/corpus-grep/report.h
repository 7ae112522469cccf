#pragma once
#include <string>
#include <vector>

#include "cli/flags.h"
#include "grep/engine.h"
#include "record/record.h"

namespace ragline {

// The `end` record of a run.
End end_record(const EngineReport& report, const GrepQuery& query, const Flags& flags);
// What to try when nothing was found, from the flags and from what was skipped: nothing is searched for it.
std::vector<std::string> suggestions(const EngineReport& report, const GrepQuery& query, const Flags& flags);

}  // namespace ragline
