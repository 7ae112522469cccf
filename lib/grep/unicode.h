#pragma once
#include <string>
#include <string_view>
#include <vector>

// What patterns need to know of Unicode, from ICU's compiled-in tables (no data file is read).
namespace ragline {

// A property as \p{..} names it: a general category ("L", "Nd"), a script ("Greek"), or "Any". kNone does not exist.
struct Property {
  enum class Kind : unsigned char { kNone, kCategory, kScript, kAny } kind = Kind::kNone;
  unsigned value = 0;  // a mask of categories, or the number of a script
  std::string name;
  bool negated = false;
};
Property find_property(std::string_view name);
bool has_property(char32_t code_point, const Property& property);

// \w: alphabetic, mark, decimal number, connector punctuation, join control; as ripgrep (UTS 18) has it.
bool is_word_character(char32_t code_point);
inline bool is_ascii_word(unsigned char byte) {
  return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') || byte == '_';
}

// Every code point that equals `code_point` under simple case folding, itself included: "k" gives k, K and U+212A.
std::vector<char32_t> fold_orbit(char32_t code_point);

// The code point that begins at text[at], or ends before text[at]; kIllFormed where there is none. `size` is its bytes
// (1 for an ill-formed one). Requires at < size() and at > 0, respectively.
inline constexpr char32_t kIllFormed = 0x110000;
char32_t code_point_at(std::string_view text, std::size_t at, std::size_t& size);
char32_t code_point_before(std::string_view text, std::size_t at);
// Whether a word character begins at (ends before) text[at]; false at the end (begin) of the text and beside ill-formed bytes.
bool word_begins_at(std::string_view text, std::size_t at);
bool word_ends_at(std::string_view text, std::size_t at);
// For -w: whether a match may begin (end) at text[at]: no word character before (behind) it, and no ill-formed byte, of which nobody
// knows what it is.
bool word_may_begin(std::string_view text, std::size_t at);
bool word_may_end(std::string_view text, std::size_t at);

}  // namespace ragline
