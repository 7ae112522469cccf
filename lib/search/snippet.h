#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analysis/analyzer.h"
#include "record/record.h"

// What a person sees of a hit: where the query's words stand, and the piece of text around most of
// them.
namespace ragline {

// Where the words of a query stand in a text: byte spans, ascending, neither overlapping nor
// touching. `terms` are terms without field and language, as the query's leaves have them; the text
// is analysed as the index analysed it, so that case, accents and endings match as they did in the
// search. Of a compound only the parts that match are spanned, and neighbouring matches of a script
// without blanks are one span.
//   Cost  one analysis of the text
std::vector<ByteSpan> find_matches(std::string_view text, Language language,
                                   const std::unordered_set<std::string>& terms,
                                   Analyzer& analyzer);

struct Snippet {
  // One line: runs of blanks and control characters are one blank, "..." where text is left out.
  std::string text;
  std::vector<ByteSpan> matches;  // within text
};
// The window of about `width` characters (code points, without the dots) with the most different
// matches, then the most matches, then the earliest; without matches the beginning. It starts and
// ends between words where one ends within kSnippetReach characters, and ill-formed bytes of the
// text are shown as U+FFFD. `matches` as find_matches gives them.
//   Cost  linear in the text
Snippet make_snippet(std::string_view text, const std::vector<ByteSpan>& matches,
                     std::size_t width);
inline constexpr std::size_t kSnippetReach = 20;

}  // namespace ragline
