#pragma once
#include "cli/spec.h"

namespace ragline {

// The flag table of corpus-grep. Short letters are ripgrep's.
ToolSpec corpus_grep_spec();

}  // namespace ragline
