#pragma once
#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "grep/unicode.h"

// A regular expression as a tree. RE2 is the authority on what is a pattern; this tree says what it means, once, so that every
// engine (RE2 on ASCII lines, RE2 on others, Hyperscan, our own PikeVm) is given a text or a program of the same meaning:
// classes, case folding and \b follow Unicode as ripgrep's do, and in a search by lines nothing matches a line end.
namespace ragline {

struct CodeRange {
  char32_t first = 0, last = 0;
};

// [a-z\p{L}], \w, \d, \s, \PN, [[:alpha:]].
struct CharClass {
  std::vector<CodeRange> ranges;
  std::vector<Property> properties;
  bool word = false, not_word = false;  // \w, \W among the items
  bool negated = false, fold = false;

  // Whether the class accepts the code point, folding included.
  bool accepts(char32_t code_point) const;
  std::bitset<128> ascii() const;
  // False only when no code point above U+007F can be accepted.
  bool beyond_ascii() const;

 private:
  bool holds(char32_t code_point) const;
};

struct Regex {
  enum class Kind : std::uint8_t {
    kEmpty,
    kLiteral,      // one code point
    kClass,
    kAny,          // every code point (kDot: but a newline)
    kDot,
    kLineStart,    // ^
    kLineEnd,      // $
    kTextStart,    // \A
    kTextEnd,      // \z
    kBoundary,     // \b
    kNotBoundary,  // \B
    kWordStart,    // no word character before: -w
    kWordEnd,      // no word character behind: -w
    kConcat,
    kAlternate,    // the first that leads to a match wins
    kRepeat,
    kCapture
  };
  Kind kind = Kind::kEmpty;
  char32_t code_point = 0;  // kLiteral
  bool fold = false;        // kLiteral
  bool greedy = true;       // kRepeat
  int least = 0, most = 0;  // kRepeat; most -1 is no bound
  CharClass set;            // kClass
  std::string name;         // kCapture; empty without one
  std::vector<Regex> children;

  // Everything that it matches is one string: "abc" without folding. With fold: the lower-case ASCII string that it matches in
  // any case.
  std::optional<std::string> literal() const;
  std::optional<std::string> folded_literal() const;
  bool can_match_empty() const;
  bool has_boundary() const;  // \b, \B, -w: RE2 and Hyperscan know them for ASCII only
  bool holds_upper_case() const;  // a literal upper-case letter, for --smart-case
  std::size_t size() const;  // nodes, a bounded repeat counted as often as it may run: what a program costs
};

Regex make_literal(std::string_view text, bool fold);
Regex make_node(Regex::Kind kind);
Regex make_list(Regex::Kind kind, std::vector<Regex> children);

struct SyntaxOptions {
  bool fixed = false;      // the pattern is a literal string
  bool fold = false;       // -i
  bool multiline = false;  // -U: a pattern may name line ends
  bool dot_newline = false;  // --multiline-dotall
};
// The tree of a pattern. kUsage says where, what and what to do instead: "at 5: '(?=' is lookahead, which ...".
Result<Regex> parse_regex(std::string_view pattern, const SyntaxOptions& options);
// -w and -x.
Regex whole_words(Regex regex);
Regex whole_lines(Regex regex);

// ---- for engines

// RE2 text that matches on lines of ASCII what `regex` does; give it to RE2 in Latin-1. \b is exact there.
std::string re2_ascii(const Regex& regex, bool captures);
// RE2 text for UTF-8. \b is RE2's own, so it is exact only without boundaries. `multiline`: over a text of several lines.
std::string re2_unicode(const Regex& regex, bool captures, bool multiline);
// RE2 text for whole buffers, in UTF-8 and with `never_nl`: matches in every line that holds a match, and maybe in others.
std::string re2_superset(const Regex& regex);

// Hyperscan text in byte mode with MULTILINE. It reports a line whenever the line holds a match. On a line of ASCII (on any line,
// when `exact`) it reports nothing else.
//   kEveryLine   characters beyond ASCII are followed through the pattern
//   kAsciiLines  classes stand for their ASCII members alone: twice as fast for \w{5}\s+\w{5}, but only lines of ASCII are sure to be
//                reported; `covers_all` says whether that made a difference
enum class ByteReach : std::uint8_t { kEveryLine, kAsciiLines };
struct ByteRegex {
  std::string text;
  bool exact = true;        // for every line
  bool ascii_exact = true;  // for lines of ASCII
  bool covers_all = true;
};
ByteRegex byte_regex(const Regex& regex, ByteReach reach = ByteReach::kEveryLine);
// Whether every match holds some string of three characters or more that is known beforehand: then few lines are reported anyway.
bool has_long_literal(const Regex& regex);

}  // namespace ragline
