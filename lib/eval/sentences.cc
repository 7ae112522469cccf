#include <algorithm>
#include <array>

#include "analysis/characters.h"
#include "eval/answer_text.h"
#include "eval/date.h"

// The rules are in answer_text.h. One pass over the code points; an abbreviation is looked up in
// the word before its point.
namespace ragline {

namespace {

constexpr std::array<std::string_view, 24> kAbbreviations = {
    "abb", "abs", "al", "approx", "bzw",  "ca", "cf",  "dr",  "e.g", "fig", "i.e", "mr",
    "mrs", "ms",  "nr", "pp",     "prof", "st", "tel", "u.a", "vgl", "vol", "vs",  "z.b"};

bool is_full_stop_of_cjk(char32_t c) {
  return c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == 0xFF61;
}

// Quotes and brackets that close; they belong to the sentence before them.
bool closes(char32_t c) {
  return c == '"' || c == '\'' || c == ')' || c == ']' || c == '*' || c == 0x2019 || c == 0x201D ||
         c == 0x300D || c == 0x300F || c == 0x3011 || c == 0xFF09 || c == 0xBB;
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  return at;
}

// Behind the "[3]", "[a.md#0-9@...]" and closing quotes that follow a full stop.
std::size_t behind_closers(std::string_view text, std::size_t at) {
  for (;;) {
    const std::size_t start = at;
    while (at < text.size()) {
      std::size_t next = at;
      if (!closes(decode(text, next))) break;
      at = next;
    }
    const std::size_t bracket = skip_blanks(text, at);
    if (bracket < text.size() && text[bracket] == '[') {
      const std::size_t end = text.find_first_of("]\n", bracket);
      if (end != text.npos && text[end] == ']') at = end + 1;
    }
    if (at == start) return at;
  }
}

// The word that ends at `end`: letters and the points inside it, in lower case.
std::string word_before(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  while (begin > 0 && (letter(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  std::string word;
  for (const char c : text.substr(begin, end - begin))
    word += static_cast<char>(c | (c >= 'A' && c <= 'Z' ? 0x20 : 0));
  return word;
}

// Whether the point at `at` only shortens a word or stands in a number.
bool is_inner_point(std::string_view text, std::size_t at) {
  std::size_t next = at + 1;
  if (next < text.size() && text[next] != ' ' && text[next] != '\t' && text[next] != '\n') {
    const char32_t c = decode(text, next);
    return !closes(c) && c != '[' && !is_cjk(c);
  }
  next = skip_blanks(text, next);
  if (next < text.size() && text[next] >= 'a' && text[next] <= 'z') return true;
  const std::string word = word_before(text, at);
  if (word.size() == 1) return true;
  if (!word.empty()) return std::ranges::find(kAbbreviations, word) != kAbbreviations.end();
  // The ordinal in "am 7. Februar".
  const std::size_t end = std::min(text.find_first_of(" \n.", next), text.size());
  const bool ordinal = at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9';
  return ordinal && next < end && month_number(text.substr(next, end - next)) > 0;
}

// "- ", "* ", "1. ", "2) " or a bullet at the start of a line.
bool begins_item(std::string_view line) {
  line.remove_prefix(skip_blanks(line, 0));
  if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("\xE2\x80\xA2"))
    return true;
  const std::size_t digits = line.find_first_not_of("0123456789");
  return digits != line.npos && digits > 0 && digits <= 3 && digits + 1 < line.size() &&
         (line[digits] == '.' || line[digits] == ')') && line[digits + 1] == ' ';
}

// Behind the marker of a list item, where the sentence begins.
std::size_t behind_marker(std::string_view text, std::size_t at) {
  const std::size_t end = text.find(' ', skip_blanks(text, at));
  return end == text.npos ? text.size() : end + 1;
}

}  // namespace

std::vector<std::string_view> sentences_of(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  const auto close = [&](std::size_t end) {
    std::string_view sentence = text.substr(begin, end - begin);
    while (!sentence.empty() && static_cast<unsigned char>(sentence.front()) <= ' ')
      sentence.remove_prefix(1);
    while (!sentence.empty() && static_cast<unsigned char>(sentence.back()) <= ' ')
      sentence.remove_suffix(1);
    bool wordy = false;
    for (std::size_t at = 0; at < sentence.size() && !wordy;)
      wordy = is_alphanumeric(decode(sentence, at));
    if (wordy) out.push_back(sentence);
    begin = end;
  };
  bool line_start = true;
  for (std::size_t at = 0; at < text.size();) {
    if (line_start) {
      line_start = false;
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line = text.substr(at, end - at);
      if (begins_item(line)) {
        close(at);
        at = begin = behind_marker(text, at);
        continue;
      }
      if (skip_blanks(line, 0) == line.size()) close(at);
    }
    const std::size_t start = at;
    const char32_t c = decode(text, at);
    if (c == '\n') {
      line_start = true;
    } else if (c == '!' || c == '?' || is_full_stop_of_cjk(c) ||
               (c == '.' && !is_inner_point(text, start))) {
      at = behind_closers(text, at);
      close(at);
    }
  }
  close(text.size());
  return out;
}

}  // namespace ragline
