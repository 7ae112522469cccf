#include "eval/answer_text.h"

#include "analysis/characters.h"
#include "analysis/fold.h"
#include "core/utf8.h"

namespace ragline {

namespace {

bool is_space(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
}

// Letters, digits and the marks on them.
bool is_word_character(char32_t c) {
  return is_alphanumeric(c) || (c >= 0x80 && char_class(c) == CharClass::kMark);
}

// Cuts folded text. `gap` says what separates, besides the borders of CJK characters; a character
// that is neither a gap nor part of a word is dropped.
template <class IsGap>
Tokens cut(const std::string& text, IsGap gap) {
  Tokens out;
  bool open = false;  // whether the last token goes on
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = decode(text, at);
    if (is_cjk(c)) {
      out.emplace_back(text, begin, at - begin);
      open = false;
    } else if (is_cjk_mark(c) && !out.empty() && !open) {
      out.back().append(text, begin, at - begin);
    } else if (is_word_character(c)) {
      if (!open) out.emplace_back();
      out.back().append(text, begin, at - begin);
      open = true;
    } else if (gap(c)) {
      open = false;
    }
  }
  return out;
}

}  // namespace

Tokens answer_tokens(std::string_view text) {
  Tokens tokens = cut(case_fold(to_valid_utf8(text)), is_space);
  std::erase_if(tokens, [](const std::string& token) {
    return token == "a" || token == "an" || token == "the";
  });
  return tokens;
}

Tokens word_tokens(std::string_view text) {
  return cut(case_fold(to_valid_utf8(text)), [](char32_t) { return true; });
}

std::string normal_answer(std::string_view text) {
  std::string out;
  for (const std::string& token : answer_tokens(text)) {
    if (!out.empty()) out += ' ';
    out += token;
  }
  return out;
}

}  // namespace ragline
