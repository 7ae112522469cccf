#pragma once
#include "corpus/document.h"

namespace ragline {

// Plain text: paragraphs between blank lines. Three light markups are plain text with headings:
//   reStructuredText  a line underlined (and perhaps overlined) with one punctuation mark; levels
//   by first appearance AsciiDoc          "== Title"; not inside ---- and .... blocks Org "**
//   Title"; not inside #+BEGIN_ ... #+END_
// The title is the first heading of the highest level, if there is one.
enum class Markup { kNone, kRst, kAsciidoc, kOrg };
void parse_plain(ParsedDocument& parsed, Markup markup = Markup::kNone);

}  // namespace ragline
