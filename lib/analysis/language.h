#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace ragline {

// The languages an index tells apart. The numbers are part of the index format: append only.
// kNone is text without a language of its own (no stemmer, no stop words).
enum class Language : std::uint8_t {
  kNone = 0, kEnglish, kArabic, kArmenian, kBasque, kCatalan, kDanish, kDutch, kFinnish, kFrench, kGerman, kGreek,
  kHindi, kHungarian, kIndonesian, kIrish, kItalian, kLithuanian, kNepali, kNorwegian, kPortuguese, kRomanian,
  kRussian, kSerbian, kSpanish, kSwedish, kTamil, kTurkish, kYiddish, kChinese, kJapanese, kKorean, kThai,
  kCount
};

// BCP 47 primary tags: "en", "de", "zh"; "und" for kNone.
const char* language_code(Language language);
// Takes a tag with or without region ("de-AT", "zh_Hant"), any case. nullopt when it is not one of ours.
std::optional<Language> language_from_code(std::string_view code);

// The language of a text: by its script where that has one language (Thai, Greek, Armenian, Tamil, Hangul; kana or not
// tells Japanese from Chinese), by English function words, or else by CLD2, whose verdict is taken only when reliable,
// dominant, well scored and from 60 bytes at least. A verdict for a language that is not ours is kNone; `fallback` in all
// other cases. Conservative on purpose: short or mixed text gets the fallback, since a wrong stemmer costs more than a
// missing one. Reads the first 4 kB, CLD2 the first 1 kB. Thread-safe.
Language detect_language(std::string_view text, Language fallback = Language::kEnglish);

}  // namespace ragline
