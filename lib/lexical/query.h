#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lexical/field.h"

// The query language. Whatever is not an operator is text, so that no pasted question is a syntax error.
//
//   words                any of them; more and rarer ones rank higher
//   "exact phrase"       words next to each other; "some words"~3 within 3 moves of their places
//   pre*                 words that begin so            term~1  term~2   words within that many edits
//   +must  -not          applies to the word, phrase or group that follows without a blank
//   (a OR b)             a group; OR between its parts is what "any" means anyway; AND makes its two sides a must
//   title:x section:x path:x   only there; text:x only in the content; the prefix takes a word, a phrase or a group
//   x^2.5                weight of a word, phrase or group
//   \+  \"               the character itself
//
// An operator counts only where it can be one: '-' and '+' at the start of a word, ':' after a field's name, '*' and '~' at the
// end of a word, quotes and brackets in pairs (an unpaired one is text). A query of exclusions only matches nothing.
namespace ragline {

enum class Occur : std::uint8_t { kShould, kMust, kMustNot };

struct QueryNode {
  enum class Kind : std::uint8_t { kGroup, kText, kPhrase, kPrefix, kFuzzy } kind = Kind::kGroup;
  Occur occur = Occur::kShould;
  bool any_field = true;              // field below is set when false
  Field field = Field::kContent;
  std::string text;                   // raw words, not yet analysed: one run of text, one word for prefix and fuzzy
  std::uint32_t distance = 0;         // slop of a phrase, edits of a fuzzy word (1 or 2)
  double boost = 1;
  std::vector<QueryNode> children;    // of a group
  std::uint32_t begin = 0, end = 0;   // where it stands in the query, for messages
  bool operator==(const QueryNode&) const = default;
};

// Never fails. The root is a group. Nesting beyond 32 levels and more than 4096 nodes are taken as text.
QueryNode parse_query(std::string_view query);
// Back to text that parses to the same tree (tests, --explain).
std::string query_text(const QueryNode& node);

}  // namespace ragline
