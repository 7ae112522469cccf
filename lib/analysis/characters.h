#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "core/utf8.h"

// What a code point does to the words around it. ASCII by table; other code points by the word-break property of the ICU
// that is linked, read once into a table (built on first need, about 0.2 ms; shared by all threads).
namespace ragline {

enum class CharClass : std::uint8_t {
  kSeparator,  // never part of a word
  kLetter,
  kDigit,
  kLowLine,    // '_': part of a word that has a letter or digit as well
  kJoiner,     // . - @ ' and their typographic forms: join two words when alone between them
  kComma,      // joins two digits
  kMark,       // combining mark: belongs to the character before it
  kCjk,        // Han, kana, Hangul: runs of their own
  kComplex,    // decided by ICU's rules or dictionaries
};

inline constexpr std::array<CharClass, 128> kAsciiClass = [] {
  std::array<CharClass, 128> table{};
  for (char c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = CharClass::kLetter;
  for (char c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = CharClass::kLetter;
  for (char c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = CharClass::kDigit;
  for (char c : {'.', '-', '@', '\''}) table[static_cast<std::size_t>(c)] = CharClass::kJoiner;
  table['_'] = CharClass::kLowLine;
  table[','] = CharClass::kComma;
  return table;
}();

CharClass non_ascii_class(char32_t c);

inline CharClass char_class(char32_t c) { return c < 0x80 ? kAsciiClass[c] : non_ascii_class(c); }

// Han, kana and Hangul (letters only: the middle dot and the like separate).
bool is_cjk(char32_t c);
// Voicing marks and variation selectors: part of a CJK run that they follow.
bool is_cjk_mark(char32_t c);
// Emoji and their like: separators.
bool is_pictograph(char32_t c);
inline bool is_joiner(char32_t c) { return char_class(c) == CharClass::kJoiner; }
inline bool is_apostrophe(char32_t c) { return c == '\'' || c == 0x2018 || c == 0x2019 || c == 0xFF07; }
// Letters, decimal digits and letter-like numerals: what makes a stretch of text a word.
bool is_alphanumeric(char32_t c);

// next_code_point with ASCII inline.
inline char32_t decode(std::string_view text, std::size_t& at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte >= 0x80) return next_code_point(text, at);
  ++at;
  return byte;
}

// The code point at text[at], whose class is kSeparator when the bytes are ill-formed.
struct Peek {
  CharClass kind;
  std::size_t next;
};
inline Peek peek(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) return {kAsciiClass[byte], at + 1};
  const std::size_t begin = at;
  const char32_t c = next_code_point(text, at);
  return {at - begin == 1 ? CharClass::kSeparator : non_ascii_class(c), at};
}

}  // namespace ragline
