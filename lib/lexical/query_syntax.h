#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lexical/field.h"

// The words of the query language, as query.h states them: shared by the parser and by query_text,
// which must agree.
namespace ragline::query_syntax {

inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) > 0x7F;
}
inline bool is_letter_or_digit(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }
// What may stand right after a sign.
inline bool begins_signed_word(char c) { return is_letter(c) || c == '_'; }

// A backslash at `at` that hides the character after it.
bool is_escape(std::string_view query, std::size_t at);
// One word, or the inside of a phrase, without its escapes.
std::string unescape(std::string_view word);
// The other way, for any number of words. `prefixed`: a sign or a field stands right before the
// first.
std::string escape(std::string_view text, bool prefixed);
std::string escape_phrase(std::string_view text);

// "title" when `text` begins with "title:"; empty when it begins with no field's name.
std::string_view field_name(std::string_view text);
Field field_of(std::string_view name);
std::string_view name_of(Field field);
// A word (its boost left aside) that a field's name can stand before.
bool is_field_value(std::string_view word);

// "AND" or "OR" when that is the whole first word of `text`, else empty.
std::string_view link_word(std::string_view text);
bool all_capitals(std::string_view query);

// Endings: taken off the end of `word`, or nullopt (false) with `word` unchanged.
std::optional<double> take_boost(std::string_view& word);
std::optional<std::uint32_t> take_edits(std::string_view& word);
std::optional<std::uint32_t> take_slop(std::string_view& endings);
bool take_star(std::string_view& word);
// "^2.5", or nothing for 1.
std::string boost_text(double boost);

}  // namespace ragline::query_syntax
