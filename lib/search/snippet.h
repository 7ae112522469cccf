#pragma once
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analysis/analyzer.h"
#include "record/record.h"

// (Interface fixed by the lead: tools/rag-search calls it.)
namespace ragline {

// Where the words of a query stand in a text: byte spans, ascending, not overlapping. `terms` are terms without field and language, as
// the query's leaves have them. Cost: one analysis of the text.
std::vector<ByteSpan> find_matches(std::string_view text, Language language, const std::unordered_set<std::string>& terms, Analyzer& analyzer);

struct Snippet {
  std::string text;               // one line: white space folded, "..." where something is left out
  std::vector<ByteSpan> matches;  // within text
};
// The window of about `width` characters with the densest matches, cut at word borders.
Snippet make_snippet(std::string_view text, const std::vector<ByteSpan>& matches, std::size_t width);

}  // namespace ragline
