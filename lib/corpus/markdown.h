#pragma once
#include "corpus/document.h"

namespace ragline {

// Blocks, sections, title and metadata of parsed.document.text, which is Markdown (CommonMark 0.31
// with GFM's tables) with optional front matter. Block structure only: what stands inside a
// paragraph is of no interest here, so there is no inline parser that hostile input could drive
// into quadratic time. Lists, quotes and their nested blocks are one block each; headings inside
// them open no section.
//   Cost   one pass over the lines, each classified by its first characters; no recursion
void parse_markdown(ParsedDocument& parsed, const ParseOptions& options);

}  // namespace ragline
