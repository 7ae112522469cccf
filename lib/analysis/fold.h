#pragma once
#include <string>
#include <string_view>

// Forms of one word. Input is well-formed UTF-8; output is well-formed UTF-8 in normal form C.
namespace ragline {

// Unicode's NFKC case folding: lower case, compatibility forms (full width, ligatures) replaced, ß as ss, characters that
// are ignored by default (soft hyphen, zero-width joiners, byte-order marks) removed.
std::string case_fold(std::string_view text);

// The same, but ß stays.
std::string exact_form(std::string_view text);

// Letters without their accents, of case-folded text: é as e, ø as o, œ as oe, ł as l, Hebrew and Arabic vowel points
// removed. Marks that make another letter stay (Cyrillic й, Devanagari, kana, Thai).
std::string strip_accents(std::string_view folded);

// The spelling with ä as ae, ö and ø as oe, ü as ue, å as aa, other accents stripped.
// Empty when the text has none of those letters.
std::string digraph_form(std::string_view folded);

}  // namespace ragline
