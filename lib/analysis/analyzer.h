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
//   1. split_words: text -> raw words. ASCII takes a fast path equal to ICU's word break (UAX 29) plus the joining
//      rule below; the rest goes through ICU (Thai, Khmer, Lao by its dictionaries).
//   2. expand: raw word, language -> terms, each with its position relative to the word and its role.
//
// A raw word is a maximal run of UAX-29 words joined by single connectors (. - _ @ ' : / between word characters, no
// blank): "updateOrderStatus", "foo_bar", "1.0.21", "a@b.example", "state-of-the-art", or one run of Han/kana/Hangul.
// (What joins and what does not is stated in analyzer.cc; '/' and ':' join only where a rule there says so.)
//
// Terms of a word, by role:
//   kWord   its parts, at successive positions: camelCase, snake, kebab, dotted and letter/digit parts, case-folded
//           (NFKC case fold), possessive 's and apostrophes removed, stop words dropped (English: Lucene's 33; their
//           position stays empty), stemmed (English: Porter, as Anserini), accents folded after stemming.
//           CJK: overlapping bigrams; a run of one character is that character.
//   kWhole  a compound's whole form, case-folded, unstemmed, at the position of its first part: "updateorderstatus",
//           "1.0.21". Only when it has more than one part.
//   kFolded other spellings to be found by, at the part's position: ü by ue, œ by oe, ß by ss, å by aa, and the stem of the
//           folded form where stemming after folding differs. CJK: the last character of a run (so that one
//           character, searched as a prefix, finds every place).
//   kExact  '=' + the case-folded word as written, only when it holds letters that folding changes: what makes the
//           exact spelling score higher.
namespace ragline {

inline constexpr std::uint32_t kAnalyzerVersion = 1;

enum class TermRole : std::uint8_t { kWord, kWhole, kFolded, kExact };

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

struct Expansion {
  std::vector<Term> terms;        // by position, then role
  std::uint32_t positions = 0;    // how far the next raw word starts; counts dropped stop words
  std::uint32_t length = 0;       // kWord terms: what the word adds to a field's BM25 length
};

// Thread-compatible: one object per thread (it holds ICU iterators and stemmers).
class Analyzer {
 public:
  Analyzer();
  ~Analyzer();
  Analyzer(Analyzer&&) noexcept;
  Analyzer& operator=(Analyzer&&) noexcept;

  // Replaces `words`. Text is UTF-8, at most 4 GiB; ill-formed bytes separate words.
  void split_words(std::string_view text, std::vector<RawWord>& words);
  // Replaces `out`.
  void expand(std::string_view word, Language language, Expansion& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Case fold and accent fold of a whole string (for suggestions and path words); no stemming.
std::string fold_text(std::string_view text);

bool is_stop_word(std::string_view folded_word, Language language);

}  // namespace ragline
