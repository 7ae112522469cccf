#pragma once
#include <cstdint>
#include <string>
#include <string_view>

// UTF-8: decoding one code point, validation, repair.
namespace ragline {

// Decodes the code point at text[at] and advances `at` past it. Ill-formed bytes yield U+FFFD and advance by one, so a
// loop always ends. Requires at < text.size().
char32_t next_code_point(std::string_view text, std::size_t& at);
void append_utf8(std::string& out, char32_t code_point);

// Strict (no surrogates, no overlong forms, at most U+10FFFF). Long ASCII stretches are skipped eight bytes at a time.
bool is_valid_utf8(std::string_view text);
bool is_ascii(std::string_view text);
// Every ill-formed byte replaced by U+FFFD.
std::string to_valid_utf8(std::string_view bytes);

// The largest cut <= at that does not split a code point.
std::size_t utf8_floor(std::string_view text, std::size_t at);

}  // namespace ragline
