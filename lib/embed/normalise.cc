#include "embed/normalise.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>
#include <unicode/uchar.h>

#include <memory>

#include "core/utf8.h"
#include "embed/regex.h"

namespace ragline {

namespace {

const icu::Normalizer2* normalizer(NormalForm form) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* found = nullptr;
  switch (form) {
    case NormalForm::kNfc:
      found = icu::Normalizer2::getNFCInstance(error);
      break;
    case NormalForm::kNfd:
      found = icu::Normalizer2::getNFDInstance(error);
      break;
    case NormalForm::kNfkc:
      found = icu::Normalizer2::getNFKCInstance(error);
      break;
    case NormalForm::kNfkd:
      found = icu::Normalizer2::getNFKDInstance(error);
      break;
  }
  return U_SUCCESS(error) ? found : nullptr;
}

// Text of the characters that map(c, out) appends.
template <class Map>
TextStep by_character(Map map) {
  return [map](std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) map(next_code_point(text, at), out);
    text = std::move(out);
  };
}

}  // namespace

TextStep normal_form(NormalForm form) {
  return [form](std::string& text) {
    // ASCII is in every normal form.
    const icu::Normalizer2* const with = is_ascii(text) ? nullptr : normalizer(form);
    if (!with) return;
    std::string out;
    icu::StringByteSink<std::string> sink(&out);
    UErrorCode error = U_ZERO_ERROR;
    with->normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())),
                        sink, nullptr, error);
    if (U_SUCCESS(error)) text = std::move(out);
  };
}

TextStep lower_case() {
  return by_character([](char32_t c, std::string& out) {
    if (c == 0x130)
      out += "i\u0307";  // the one character whose lower case is two
    else
      append_utf8(out, static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))));
  });
}

TextStep drop_marks() {
  return by_character([](char32_t c, std::string& out) {
    if (!(U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_M_MASK)) append_utf8(out, c);
  });
}

TextStep replace_text(std::string pattern, std::string by) {
  return [pattern, by](std::string& text) {
    if (pattern.empty()) return;
    std::string out;
    std::size_t at = 0;
    for (std::size_t found; (found = text.find(pattern, at)) != text.npos;
         at = found + pattern.size())
      out.append(text, at, found - at).append(by);
    text = out.append(text, at);
  };
}

Result<TextStep> replace_regex(std::string_view pattern, std::string by) {
  RAGLINE_TRY(const auto regex, SplitRegex::parse(pattern));
  return [regex, by](std::string& text) {
    std::string out;
    std::size_t at = 0;
    regex->each_match(text, [&](std::size_t begin, std::size_t end) {
      out.append(text, at, begin - at).append(by);
      at = end;
    });
    text = out.append(text, at);
  };
}

TextStep prepend_text(std::string prefix) {
  return [prefix](std::string& text) {
    if (!text.empty()) text.insert(0, prefix);
  };
}

TextStep strip_blanks(bool left, bool right) {
  return [left, right](std::string& text) {
    std::size_t begin = 0, end = text.size();
    for (std::size_t at = 0; left && at < text.size(); begin = at)
      if (!u_isUWhiteSpace(static_cast<UChar32>(next_code_point(text, at)))) break;
    while (right && end > begin) {
      const std::size_t last = utf8_floor(text, end - 1);
      std::size_t at = last;
      if (!u_isUWhiteSpace(static_cast<UChar32>(next_code_point(text, at)))) break;
      end = last;
    }
    text = text.substr(begin, end - begin);
  };
}

TextStep use_charsmap(Charsmap map) {
  return [map = std::make_shared<const Charsmap>(std::move(map))](std::string& text) {
    text = map->normalise(text);
  };
}

TextStep use_bert(BertOptions options) {
  return [characters = std::make_shared<const BertCharacters>(options)](std::string& text) {
    text = characters->normalise(text);
  };
}

}  // namespace ragline
