#include "analysis/language.h"

#include <array>
#include <string>

#include "core/text.h"

namespace ragline {

namespace {

// In the order of Language.
constexpr std::array<const char*, static_cast<std::size_t>(Language::kCount)> kCodes = {
    "und", "en", "ar", "hy", "eu", "ca", "da", "nl", "fi", "fr", "de", "el", "hi", "hu", "id", "ga", "it",
    "lt",  "ne", "no", "pt", "ro", "ru", "sr", "es", "sv", "ta", "tr", "yi", "zh", "ja", "ko", "th"};

}  // namespace

const char* language_code(Language language) {
  const auto number = static_cast<std::size_t>(language);
  return number < kCodes.size() ? kCodes[number] : kCodes[0];
}

std::optional<Language> language_from_code(std::string_view code) {
  const std::string primary = ascii_lower(code.substr(0, code.find_first_of("-_")));
  for (std::size_t number = 0; number < kCodes.size(); ++number) {
    if (primary == kCodes[number]) return static_cast<Language>(number);
  }
  if (primary == "nb" || primary == "nn") return Language::kNorwegian;
  if (primary == "in") return Language::kIndonesian;  // the tags that ISO 639 has withdrawn
  if (primary == "ji") return Language::kYiddish;
  return std::nullopt;
}

}  // namespace ragline
