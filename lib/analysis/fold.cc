#include "analysis/fold.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

#include "core/text.h"
#include "core/utf8.h"

namespace ragline {

namespace {

std::string normalize(const icu::Normalizer2* form, std::string_view text) {
  std::string out;
  UErrorCode status = U_ZERO_ERROR;
  icu::StringByteSink<std::string> sink(&out);
  form->normalizeUTF8(0, {text.data(), static_cast<std::int32_t>(text.size())}, sink, nullptr, status);
  return U_SUCCESS(status) ? out : std::string(text);
}

const icu::Normalizer2* nfc() {
  UErrorCode status = U_ZERO_ERROR;
  return icu::Normalizer2::getNFCInstance(status);
}
const icu::Normalizer2* nfd() {
  UErrorCode status = U_ZERO_ERROR;
  return icu::Normalizer2::getNFDInstance(status);
}
const icu::Normalizer2* nfkc_casefold() {
  UErrorCode status = U_ZERO_ERROR;
  return icu::Normalizer2::getNFKCCasefoldInstance(status);
}

// Letters that are accented by nature: Unicode gives them no decomposition.
const char* plain_letters(char32_t c) {
  switch (c) {
    case 0xE6: return "ae";
    case 0x153: return "oe";
    case 0xF8: return "o";
    case 0xF0:
    case 0x111: return "d";
    case 0xFE: return "th";
    case 0x127: return "h";
    case 0x131: return "i";
    case 0x138: return "k";
    case 0x142: return "l";
    case 0x14B: return "n";
    case 0x167: return "t";
    case 0x640: return "";  // Arabic tatweel
    default: return nullptr;
  }
}

const char* digraph(char32_t c) {
  switch (c) {
    case 0xE4: return "ae";
    case 0xF6:
    case 0xF8: return "oe";
    case 0xFC: return "ue";
    case 0xE5: return "aa";
    default: return nullptr;
  }
}

bool is_accent(char32_t mark, char32_t base) {
  if (mark >= 0x300 && mark <= 0x36F) return !(mark == 0x306 && base == 0x438);  // й is a letter
  return (mark >= 0x591 && mark <= 0x5BD) || mark == 0x5BF || mark == 0x5C1 || mark == 0x5C2 || mark == 0x5C4 ||
         mark == 0x5C5 || mark == 0x5C7 || (mark >= 0x64B && mark <= 0x652) || mark == 0x670;
}

// Whether no letter has an accent to strip; most Russian or Thai words do not.
bool is_plain(std::string_view text) {
  char32_t base = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (is_accent(c, base) || plain_letters(c)) return false;
    base = c;
  }
  UErrorCode status = U_ZERO_ERROR;
  return nfd()->isNormalizedUTF8({text.data(), static_cast<std::int32_t>(text.size())}, status) != 0;
}

}  // namespace

std::string case_fold(std::string_view text) {
  if (is_ascii(text)) return ascii_lower(text);
  return normalize(nfkc_casefold(), text);
}

std::string exact_form(std::string_view text) {
  // Case folding is all but for ß: it folds what stands between.
  std::string out;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t here = at;
    const char32_t c = next_code_point(text, at);
    if (c != 0xDF && c != 0x1E9E) continue;
    out.append(case_fold(text.substr(begin, here - begin))).append("ß");
    begin = at;
  }
  return out += case_fold(text.substr(begin));
}

std::string strip_accents(std::string_view folded) {
  if (is_ascii(folded) || is_plain(folded)) return std::string(folded);
  const std::string decomposed = normalize(nfd(), folded);
  std::string out;
  char32_t base = 0;
  for (std::size_t at = 0; at < decomposed.size();) {
    const char32_t c = next_code_point(decomposed, at);
    if (is_accent(c, base)) continue;
    base = c;
    if (const char* plain = plain_letters(c)) out += plain;
    else append_utf8(out, c);
  }
  return normalize(nfc(), out);
}

std::string digraph_form(std::string_view folded) {
  if (is_ascii(folded)) return {};
  std::string out;
  bool found = false;
  for (std::size_t at = 0; at < folded.size();) {
    const char32_t c = next_code_point(folded, at);
    const char* pair = digraph(c);
    found = found || pair;
    if (pair) out += pair;
    else append_utf8(out, c);
  }
  return found ? strip_accents(out) : std::string();
}

}  // namespace ragline
