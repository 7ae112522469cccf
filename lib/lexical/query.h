#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lexical/field.h"

// The query language. Whatever is not an operator is text, so that no pasted question is a syntax
// error.
//
//   words                any of them; more and rarer ones rank higher
//   "exact phrase"       words next to each other; "some words"~3 within 3 moves of their places
//   pre*                 words that begin so; term~1 and term~2: words within that many edits
//   +must  -not          for the word, phrase or group that follows without a blank
//   (a OR b)             a group; OR between its parts is what "any" means anyway, AND makes its
//                        two sides a must
//   title:x section:x path:x   only there; text:x only in the content; before a word, phrase, group
//   x^2.5                weight of a word, phrase or group
//   \+  \"               the character itself; \AND and \OR the word itself
//
// An operator counts only where it can be one; anywhere else its characters are text. Exactly:
//
//   Blanks are space, tab, line feed, vertical tab, form feed and carriage return. A word begins
//   after a blank, at the query's beginning, or after the '(' of a group; it ends at a blank or at
//   the ')' of a group.
//
//   + -     begin a word, and a letter, '_', a byte above 0x7F, a phrase or a group follows (a
//           field's name may stand between): "-verbose" and "rm -rf" exclude; "- item", "--flag",
//           "-5", "+49", "->", ":-(" and "C++" are text.
//   field:  begins a word or follows its sign, in lower case; a phrase or group follows, or a word
//           with a letter or digit in it that does not begin with a colon, quote or bracket:
//           "title:", "path::join", "Title: x" are text.
//   "..."   opens where a word, its sign or its field would; closes at the next '"' on the same
//           line; something in it is a letter or digit. `5" pipe`, `f("x")`, a lone '"' are text.
//   (...)   opens where a word, its sign or its field would; has something in it. A bracket in a
//           word is text and takes the next ')' with it: in (call f(a, b) now) the group ends at
//           its own bracket. "f(x)", "()", ":-)" are text.
//   * ~     end a word of letters, digits, '_' and single connectors . - @ ' : / inside; after '~'
//           comes 1 or 2 (after a phrase up to three digits). "**bold**", "*.cc", "a * b", "x~3",
//           "main.c~" are text.
//   ^       ends a word, phrase or group; a number above 0 and up to 9999.9999 follows (four
//           decimals at most).
//   AND OR  are whole words between two things. A query without a lower-case letter (or a byte
//           above 0x7F) is all in capitals: there they are text.
//   \       stands before one of + - " ( ) : * ~ ^ \ ; before anything else it is text ("C:\new").
//
// A query of exclusions only matches nothing. AND does not bind tighter than OR: write
// (a AND b) OR c.
namespace ragline {

enum class Occur : std::uint8_t { kShould, kMust, kMustNot };

struct QueryNode {
  enum class Kind : std::uint8_t { kGroup, kText, kPhrase, kPrefix, kFuzzy } kind = Kind::kGroup;
  Occur occur = Occur::kShould;
  bool any_field = true;             // `field` counts when false
  Field field = Field::kContent;     // a group's holds for what names none inside it
  std::string text;                  // not yet analysed: a run of words, one for prefix and fuzzy
  std::uint32_t distance = 0;        // slop of a phrase, edits of a fuzzy word (1 or 2)
  double boost = 1;                  // a group's multiplies those inside it
  std::vector<QueryNode> children;   // of a group, never empty but in the root
  std::uint32_t begin = 0, end = 0;  // byte span in the query, for messages

  // The same question, wherever it stands.
  bool operator==(const QueryNode& other) const;
};

// Never fails. The root is a plain group; neighbouring words without an operator are one kText.
// Brackets beyond 32 levels are text; a query of more than 4096 nodes is one run of text as a
// whole. A text may hold no word at all ("->"): analysis tells.
//   Cost  linear in the query; bytes past 4 GiB are not read
QueryNode parse_query(std::string_view query);
// Back to text that parses to the same tree (tests, --explain):
// parse_query(query_text(parse_query(q))) == parse_query(q).
std::string query_text(const QueryNode& node);

}  // namespace ragline
