#pragma once
#include <string>
#include <vector>

#include "cli/flags.h"
#include "grep/span_text.h"

namespace ragline {

// What to read, in order: spans from the command line, and from records where `-` stands.
struct ReadRequest {
  SpanRequest span;
  std::string parent_id;  // of a chunk record
};
// kUsage and kData name the argument or the line.
Result<std::vector<ReadRequest>> read_requests(const Flags& flags);

}  // namespace ragline
