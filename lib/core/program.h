#pragma once
#include <string>

#include "core/result.h"

namespace ragline {

// Runs `command` in a shell with `input` on its standard input, and `file` as the file /dev/fd/3,
// and gives back what it writes on standard output; standard error is ours. Waits for its end. Only
// ever called for a flag that asks for it. Several threads may call it. Errors: kIo when it cannot
// be started, or ends with another status than 0, which is named.
Result<std::string> run_program(const std::string& command, const std::string& input,
                                const std::string& file = {});

}  // namespace ragline
