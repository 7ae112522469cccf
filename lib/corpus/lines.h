#pragma once
#include <cstddef>
#include <cstring>
#include <string_view>

namespace ragline {

// One line of a text: [begin, end) with its newline, [begin, content_end) without it and without a
// CR before it.
struct TextLine {
  std::size_t begin = 0, content_end = 0, end = 0;
  std::string_view content(std::string_view text) const {
    return text.substr(begin, content_end - begin);
  }
};

// The line that begins at text[begin]. Requires begin < text.size().
inline TextLine line_at(std::string_view text, std::size_t begin) {
  const void* newline = std::memchr(text.data() + begin, '\n', text.size() - begin);
  TextLine line{begin, text.size(), text.size()};
  if (newline) {
    line.content_end = static_cast<std::size_t>(static_cast<const char*>(newline) - text.data());
    line.end = line.content_end + 1;
  }
  if (line.content_end > begin && text[line.content_end - 1] == '\r') --line.content_end;
  return line;
}

inline bool is_blank(std::string_view line) {
  for (char c : line)
    if (c != ' ' && c != '\t' && c != '\r' && c != '\f' && c != '\v' && c != '\n') return false;
  return true;
}

inline bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_ascii_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

}  // namespace ragline
