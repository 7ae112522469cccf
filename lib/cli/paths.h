#pragma once
#include <string>
#include <vector>

#include "cli/flags.h"
#include "core/result.h"

namespace ragline {

// The paths a tool is asked to read: positionals from number `first` on, then those that the file
// of --files-from (a line each) or --files0-from (NUL bytes) lists, where the table has these
// flags. Order kept, empty lines dropped; paths are bytes.
// Errors: kIo or kNotFound when a list cannot be read.
Result<std::vector<std::string>> input_paths(const Flags& flags, std::size_t first = 0);

// Filters read standard input as sort does; a person who forgot the pipe would wait for ever.
// kUsage with the hint when standard input is a terminal: "standard input is a terminal: pipe
// records into it: rag-search ... | rag-rerank".
Status need_piped_input(std::string_view hint);

}  // namespace ragline
