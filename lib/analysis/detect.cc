#include <cstdio>  // CLD2's header needs it and does not say so

#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "analysis/characters.h"
#include "analysis/language.h"
#include "core/text.h"
#include "core/utf8.h"

// Stages, cheapest first: a script that has one language only; English by its function words (nearly every English text
// stops here, at memory speed); ASCII without function words of another language is no text of one; CLD2, which reads some
// 8 MB/s and therefore sees kilobytes only.
namespace ragline {

namespace {

constexpr std::size_t kSampleBytes = 4096, kDetectorBytes = 1024, kMinBytes = 60;
// What must hold of CLD2's first language: its share of the text, and its score (1000 is the usual text of that language).
// Source code passes for Danish or Slovak now and then, always in ASCII and at scores below 700; German encyclopedia text
// scores 800 to 1400, manual pages of all languages, full of flags and names, from 450.
constexpr int kMinPercent = 75;
constexpr double kMinScore = 400, kMinAsciiScore = 700;

struct Scripts {
  std::size_t letters = 0, latin = 0, kana = 0, hangul = 0, han = 0, thai = 0, greek = 0, armenian = 0, tamil = 0;
};

Scripts count_scripts(std::string_view text) {
  Scripts counts;
  auto between = [](char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; };
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (c < 0x80 ? kAsciiClass[c] != CharClass::kLetter : c < 0xC0) continue;
    ++counts.letters;
    if (c < 0x250) ++counts.latin;
    else if (between(c, 0x370, 0x3FF) || between(c, 0x1F00, 0x1FFF)) ++counts.greek;
    else if (between(c, 0x531, 0x58F)) ++counts.armenian;
    else if (between(c, 0xB80, 0xBFF)) ++counts.tamil;
    else if (between(c, 0xE00, 0xE7F)) ++counts.thai;
    else if (between(c, 0x3041, 0x30FF) || between(c, 0xFF66, 0xFF9F)) ++counts.kana;
    else if (between(c, 0xAC00, 0xD7A3) || between(c, 0x1100, 0x11FF)) ++counts.hangul;
    else if (is_cjk(c)) ++counts.han;
  }
  return counts;
}

// Of the languages that share a script with no other of ours; kCount when the script does not tell.
Language language_of_script(const Scripts& counts) {
  const std::size_t cjk = counts.kana + counts.hangul + counts.han;
  // A Han character says as much as three letters.
  if (cjk > 0 && cjk * 3 > counts.letters - cjk) {
    if (counts.hangul * 2 > cjk) return Language::kKorean;
    return counts.kana * 10 > cjk ? Language::kJapanese : Language::kChinese;
  }
  const std::size_t half = counts.letters / 2;
  if (counts.thai > half) return Language::kThai;
  if (counts.greek > half) return Language::kGreek;
  if (counts.armenian > half) return Language::kArmenian;
  if (counts.tamil > half) return Language::kTamil;
  return Language::kCount;
}

// Function words of one language each, sorted, in ASCII, from two to seven letters.
constexpr std::array<std::string_view, 8> kEnglishWords = {"and", "are", "from", "that", "the", "this", "which", "with"};
// Of the other languages in Latin script, none of which is an English word or usual in code.
constexpr std::string_view kForeignWords[] = {
    "aan", "acest", "adalah", "agus", "alla", "als", "amb", "aos", "auf", "aus", "aux", "avec", "az", "baina",
    "bij", "ble", "blev", "buvo", "care", "cette", "che", "com", "como", "daha", "dalam", "dans", "dari",
    "das", "dat", "dei", "del", "della", "delle", "dels", "dem", "dengan", "der", "des", "det", "deze", "din",
    "dira", "door", "dos", "durch", "een", "efter", "egin", "egy", "eine", "einem", "einen", "einer", "ella",
    "elle", "eller", "els", "entre", "est", "esta", "este", "eta", "ett", "foi", "gibi", "gli", "har", "het",
    "hij", "hogy", "iki", "ikke", "il", "ile", "ini", "inte", "ise", "ist", "itu", "izan", "joka", "kad",
    "kan", "kun", "las", "leis", "les", "los", "mai", "mais", "mas", "med", "meg", "met", "mutta", "muy",
    "naar", "nas", "nel", "nem", "nicht", "niet", "niin", "non", "nos", "nous", "nuo", "och", "oder", "og",
    "olan", "olarak", "oleh", "oli", "olla", "ont", "ook", "ovat", "pada", "para", "pela", "pentru", "pero",
    "por", "prin", "que", "qui", "seu", "sich", "sind", "skal", "som", "sont", "sua", "sul", "sunt", "sus",
    "tai", "tidak", "til", "till", "uit", "um", "uma", "una", "und", "under", "une", "untuk", "ved", "vid",
    "voi", "volt", "von", "voor", "vous", "wat", "werd", "werden", "wird", "yang", "yra", "zijn", "zu", "zum",
    "zur"};

// The function words by their letters packed into one integer: a text's words are looked up without touching a string.
constexpr std::size_t kSlots = 1024;
constexpr std::size_t slot_of(std::uint64_t packed) { return packed * 0x9E3779B97F4A7C15u >> 54; }
struct FunctionWords {
  enum Kind : std::uint8_t { kNone, kEnglish, kForeign };
  std::array<std::uint64_t, kSlots> words{};
  std::array<Kind, kSlots> kinds{};

  constexpr void add(std::string_view word, Kind kind) {
    std::uint64_t packed = 0;
    for (char letter : word) packed = packed << 8 | static_cast<unsigned char>(letter);
    std::size_t i = slot_of(packed);
    while (words[i] != 0) i = (i + 1) % kSlots;
    words[i] = packed;
    kinds[i] = kind;
  }
  constexpr FunctionWords() {
    for (std::string_view word : kEnglishWords) add(word, kEnglish);
    for (std::string_view word : kForeignWords) add(word, kForeign);
  }
  Kind find(std::uint64_t packed) const {
    for (std::size_t i = slot_of(packed); words[i] != 0; i = (i + 1) % kSlots)
      if (words[i] == packed) return kinds[i];
    return kNone;
  }
};
constexpr FunctionWords kFunctionWords;

struct WordCounts {
  std::size_t words = 0, hits[3] = {};
  // One word in twenty, and three at least.
  bool many(FunctionWords::Kind kind) const { return hits[kind] >= 3 && hits[kind] * 20 >= words; }
};

WordCounts count_words(std::string_view text) {
  WordCounts counts;
  std::uint64_t packed = 0;
  std::size_t length = 0;
  auto close = [&] {
    if (length == 0) return;
    ++counts.words;
    if (length >= 2 && length <= 7) ++counts.hits[kFunctionWords.find(packed)];
    packed = length = 0;
  };
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || kAsciiClass[byte] == CharClass::kLetter) {
      packed = packed << 8 | (byte | 0x20);
      ++length;
    } else {
      close();
    }
  }
  close();
  return counts;
}

Language ask_cld2(std::string_view text, Language fallback) {
  CLD2::Language languages[3];
  int percents[3], text_bytes = 0;
  double scores[3];
  bool reliable = false;
  CLD2::ExtDetectLanguageSummary(text.data(), static_cast<int>(text.size()), /*is_plain_text=*/true, /*tld_hint=*/nullptr,
                                 CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE, languages, percents, scores, &text_bytes,
                                 &reliable);
  if (!reliable || languages[0] == CLD2::UNKNOWN_LANGUAGE || text_bytes < static_cast<int>(kMinBytes) ||
      percents[0] < kMinPercent || scores[0] < (is_ascii(text) ? kMinAsciiScore : kMinScore)) {
    return fallback;
  }
  return language_from_code(CLD2::LanguageCode(languages[0])).value_or(Language::kNone);
}

}  // namespace

Language detect_language(std::string_view text, Language fallback) {
  const std::string_view sample = text.substr(0, utf8_floor(text, kSampleBytes));
  const bool ascii = is_ascii(sample);
  bool latin = true;
  if (!ascii) {
    const Scripts counts = count_scripts(sample);
    if (const Language language = language_of_script(counts); language != Language::kCount) return language;
    latin = counts.latin == counts.letters;
  }
  if (sample.size() < kMinBytes) return fallback;
  const std::string_view part = sample.substr(0, utf8_floor(sample, kDetectorBytes));
  if (latin) {
    const WordCounts counts = count_words(sample);
    if (counts.many(FunctionWords::kEnglish)) return Language::kEnglish;
    // Text of any length in a language has its function words; names, numbers and code have none.
    if (ascii && !counts.many(FunctionWords::kForeign)) return fallback;
  }
  return is_valid_utf8(part) ? ask_cld2(part, fallback) : ask_cld2(to_valid_utf8(part), fallback);
}

}  // namespace ragline
