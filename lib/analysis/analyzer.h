#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/language.h"

// Text to terms: what is indexed, and what a query asks for. Deterministic; kAnalyzerVersion changes whenever any term
// or position would, and is part of an index's fingerprint.
//
// Two steps, so that an indexer can cache the second by the bytes of the word:
//   1. split_words: text -> raw words.
//   2. expand: raw word, language -> terms, each with its position relative to the word and its role.
//
// A raw word is one of
//   * a run of Han, kana and Hangul, with their voicing marks and variation selectors;
//   * a chain of words as UAX 29 has them (Thai, Khmer, Lao, Burmese by ICU's dictionaries) that contain a letter or a
//     digit, joined by single  . - _ @ '  or a typographic hyphen or apostrophe; a comma joins digits only. All other
//     ASCII separates ('/' and ':' too), and so do emoji and ill-formed bytes:
//     updateOrderStatus  foo_bar  1.0.21  a@b.example  state-of-the-art  std::vector (two)  src/order.cc (two);
//   * a single ASCII letter with the ++ or # that follows it: C++, F#.
// A word of more than kMaxRawWordBytes is cut there. ASCII, and letters whose effect depends on their neighbours only,
// take a fast path; the unit tests and the fuzzer compare it with ICU.
//
// Terms of a word, by role. All roles share one space of terms (but for the '=' of kExact), so a posting of "order" has
// the words order, Order and orderStatus.
//   kWord   one term for each part between joiners, case-folded (NFKC; soft hyphens and zero-width characters
//           removed), possessive 's and apostrophes removed (in French, Italian, Catalan and Turkish the apostrophe
//           joins two parts: l'avion), stop words dropped (English: Lucene's 33), stemmed (English: Porter, as Anserini),
//           accents stripped after stemming (й stays). CJK: overlapping bigrams; a run of one is that character.
//   kWhole  of a word of several parts, at the first one's position: the form as written, case-folded, without accents,
//           unstemmed ("1.0.21", "a@b.example", also "c++" and "__init__"); and when hyphens and low lines join parts
//           that start with letters, the parts as one word ("email" of e-mail, "updateorderstatu" of update_order_status).
//   kFolded other spellings to be found by, at the part's position: ä ö ü å ø as ae oe ue aa oe, and the stem of the form
//           without accents where stripping first makes another.
//   kExact  '=' + the part in lower case as written, when it holds letters that the folding above changes ("=größe"): what
//           makes the exact spelling score higher.
//   kPart   of a part with camelCase or letter/digit borders, each piece, treated as kWord treats a part: "xml", "http",
//           "request" beside the kWord "xmlhttprequest"; "sha", "256". A capital run with a plural s is one piece (URLs).
//   kTail   the last character of a CJK run, so that one character, searched as a prefix, finds every place. It is indexed
//           and never asked for: a query that ends in the middle of a run must not require it.
//
// Positions: one for each piece of each part, stop words included, and one for each CJK character; kWord and kWhole stand
// at their first piece. So the phrase "order status" finds orderStatus and order_status.
//
// With kWord alone BM25 equals the quality reference on the English sets to four digits. All roles indexed, length =
// Expansion.length, query weights kWord 1, kPart .3, kWhole .1, kExact .1, kFolded as a synonym of its kWord (highest tf
// of the two): within .004 of the reference everywhere, above it on code.
namespace ragline {

inline constexpr std::uint32_t kAnalyzerVersion = 1;

enum class TermRole : std::uint8_t { kWord, kWhole, kFolded, kExact, kPart, kTail };

struct Term {
  std::string text;        // never empty; at most kMaxTermBytes, longer ones are cut at a code point
  std::uint32_t position;  // relative to the raw word's first position
  TermRole role;
  std::uint32_t begin = 0, end = 0;  // byte span within the raw word
};
inline constexpr std::size_t kMaxTermBytes = 255;

struct RawWord {
  std::uint32_t begin, end;  // byte span in the text
};
// A longer word is cut: one line of base64 must become neither one term nor a million positions of one word.
inline constexpr std::size_t kMaxRawWordBytes = 1024;

struct Expansion {
  std::vector<Term> terms;        // by position; there kWord and kFolded first, which are spellings of one word
  std::uint32_t positions = 0;    // where the next raw word starts; 0 for a word without letters and digits
  std::uint32_t length = 0;       // kWord terms: what the word adds to a field's BM25 length
};

// Thread-compatible: one object per thread (it holds ICU iterators and stemmers, made on first use; an Analyzer that has
// not met them costs an allocation).
class Analyzer {
 public:
  Analyzer();
  ~Analyzer();
  Analyzer(Analyzer&&) noexcept;
  Analyzer& operator=(Analyzer&&) noexcept;

  // Replaces `words`. Text is UTF-8, at most 4 GiB; ill-formed bytes separate words.
  void split_words(std::string_view text, std::vector<RawWord>& words);
  // Replaces `out`. Cost: below 0.5 us for an ASCII word, up to 2 us for others. Any bytes give well-formed terms.
  void expand(std::string_view word, Language language, Expansion& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Case fold and accent fold of a whole string (for suggestions and path words); no stemming.
std::string fold_text(std::string_view text);

bool is_stop_word(std::string_view folded_word, Language language);

}  // namespace ragline
