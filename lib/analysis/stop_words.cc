#include <algorithm>
#include <array>

#include "analysis/analyzer.h"

namespace ragline {

namespace {

// Lucene's English set of 33, sorted; the longest has five letters.
constexpr std::array<std::string_view, 33> kEnglish = {
    "a",    "an",   "and",  "are",  "as",   "at",    "be",    "but",   "by",   "for",  "if",
    "in",   "into", "is",   "it",   "no",   "not",   "of",    "on",    "or",   "such", "that",
    "the",  "their", "then", "there", "these", "they", "this",  "to",    "was",  "will", "with"};
static_assert(std::ranges::is_sorted(kEnglish));

}  // namespace

bool is_stop_word(std::string_view folded_word, Language language) {
  if (language != Language::kEnglish || folded_word.size() > 5) return false;
  return std::ranges::binary_search(kEnglish, folded_word);
}

}  // namespace ragline
