#include "analysis/characters.h"

#include <unicode/uchar.h>

namespace ragline {

namespace {

constexpr char32_t kTableEnd = 0x3040;  // what follows is CJK or rare

bool between(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

CharClass compute_class(char32_t c) {
  if (is_cjk(c)) return CharClass::kCjk;
  if (c == 0x2010 || c == 0x2011 || c == 0x2018 || c == 0x2019) return CharClass::kJoiner;
  const auto point = static_cast<UChar32>(c);
  if (is_pictograph(c)) return CharClass::kSeparator;
  // The scripts that ICU cuts by dictionary have their own rules.
  if (u_getIntPropertyValue(point, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT) return CharClass::kComplex;
  const bool wordy = is_alphanumeric(c);
  switch (u_getIntPropertyValue(point, UCHAR_WORD_BREAK)) {
    case U_WB_ALETTER: return wordy ? CharClass::kLetter : CharClass::kComplex;
    case U_WB_NUMERIC: return wordy ? CharClass::kDigit : CharClass::kComplex;
    case U_WB_EXTEND: return CharClass::kMark;
    case U_WB_OTHER: return wordy ? CharClass::kComplex : CharClass::kSeparator;
    case U_WB_NEWLINE:
    case U_WB_WSEGSPACE: return CharClass::kSeparator;
    default: return CharClass::kComplex;
  }
}

std::array<CharClass, kTableEnd> compute_table() {
  std::array<CharClass, kTableEnd> table{};
  for (char32_t c = 0; c < kTableEnd; ++c) table[c] = c < 0x80 ? kAsciiClass[c] : compute_class(c);
  return table;
}

}  // namespace

CharClass non_ascii_class(char32_t c) {
  static const std::array<CharClass, kTableEnd> table = compute_table();
  if (c < kTableEnd) return table[c];
  if (is_cjk(c)) return CharClass::kCjk;
  return is_pictograph(c) ? CharClass::kSeparator : CharClass::kComplex;
}

bool is_pictograph(char32_t c) {
  return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_EXTENDED_PICTOGRAPHIC) != 0;
}

bool is_cjk(char32_t c) {
  if (c < 0x1100) return false;
  if (between(c, 0x4E00, 0x9FFF) || between(c, 0x3400, 0x4DBF) || between(c, 0xAC00, 0xD7A3)) return true;
  if (between(c, 0x3041, 0x30FF)) return c != 0x30A0 && c != 0x30FB && !between(c, 0x3097, 0x309C);
  // The radicals (2E80 to 2FD5) are what a PDF often has in place of the letters.
  return between(c, 0x1100, 0x11FF) || between(c, 0x2E80, 0x2EF3) || between(c, 0x2F00, 0x2FD5) ||
         between(c, 0x3005, 0x3007) ||
         between(c, 0x3021, 0x3029) || between(c, 0x3038, 0x303B) || between(c, 0x31F0, 0x31FF) ||
         between(c, 0xA960, 0xA97C) || between(c, 0xD7B0, 0xD7FB) || between(c, 0xF900, 0xFAFF) ||
         between(c, 0xFF66, 0xFF9F) || between(c, 0x1B000, 0x1B16F) || between(c, 0x20000, 0x323AF);
}

bool is_cjk_mark(char32_t c) {
  return c == 0x3099 || c == 0x309A || between(c, 0xFE00, 0xFE0F) || between(c, 0xE0100, 0xE01EF);
}

bool is_alphanumeric(char32_t c) {
  if (c == 0x2139) return false;  // the information sign, a pictograph that Unicode also calls a letter
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & (U_GC_L_MASK | U_GC_ND_MASK | U_GC_NL_MASK)) != 0;
}

}  // namespace ragline
