#pragma once
#include "corpus/document.h"

namespace ragline {

// Source code and configuration, whatever the language: a block is what stands between blank lines
// at the outermost level. A blank line counts when the next line is not indented and does not close
// something; so a function with blank lines inside is one block, with the comment directly above
// it.
void parse_code(ParsedDocument& parsed);

}  // namespace ragline
