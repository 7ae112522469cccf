#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "eval/bad_rows.h"

namespace ragline {

// The `end` record of a command: its counts, and the bad rows that it skipped by kind. `members`
// are more members, written as JSON without the braces.
std::string end_record(std::vector<std::pair<std::string, std::uint64_t>> counts,
                       const BadRows& bad, std::string members = "");

// The `end` record of a run that a fault ended: its stop_reason is "fault:duplicate" and the like.
std::string fault_record(RowFault fault);

// For people: "2 bad rows left out (1 duplicate, 1 short_line); the first: run:3: ...".
std::string bad_rows_text(const BadRows& bad);

}  // namespace ragline
