#include "analysis/stemmer.h"

#include <libstemmer.h>

namespace ragline {

namespace {

// Snowball's name, or nullptr for a language without a stemmer.
const char* algorithm(Language language) {
  switch (language) {
    case Language::kEnglish: return "porter";
    case Language::kArabic: return "arabic";
    case Language::kArmenian: return "armenian";
    case Language::kBasque: return "basque";
    case Language::kCatalan: return "catalan";
    case Language::kDanish: return "danish";
    case Language::kDutch: return "dutch";
    case Language::kFinnish: return "finnish";
    case Language::kFrench: return "french";
    case Language::kGerman: return "german";
    case Language::kGreek: return "greek";
    case Language::kHindi: return "hindi";
    case Language::kHungarian: return "hungarian";
    case Language::kIndonesian: return "indonesian";
    case Language::kIrish: return "irish";
    case Language::kItalian: return "italian";
    case Language::kLithuanian: return "lithuanian";
    case Language::kNepali: return "nepali";
    case Language::kNorwegian: return "norwegian";
    case Language::kPortuguese: return "portuguese";
    case Language::kRomanian: return "romanian";
    case Language::kRussian: return "russian";
    case Language::kSerbian: return "serbian";
    case Language::kSpanish: return "spanish";
    case Language::kSwedish: return "swedish";
    case Language::kTamil: return "tamil";
    case Language::kTurkish: return "turkish";
    case Language::kYiddish: return "yiddish";
    default: return nullptr;
  }
}

}  // namespace

Stemmers::~Stemmers() {
  for (sb_stemmer* stemmer : stemmers_) sb_stemmer_delete(stemmer);
}

std::string_view Stemmers::stem(std::string_view folded, Language language) {
  const char* name = algorithm(language);
  if (!name) return folded;
  sb_stemmer*& stemmer = stemmers_[static_cast<std::size_t>(language)];
  if (!stemmer) stemmer = sb_stemmer_new(name, nullptr);
  if (!stemmer) return folded;
  const auto* bytes = reinterpret_cast<const sb_symbol*>(folded.data());
  const sb_symbol* stem = sb_stemmer_stem(stemmer, bytes, static_cast<int>(folded.size()));
  const int length = sb_stemmer_length(stemmer);
  if (!stem || length <= 0) return folded;
  return {reinterpret_cast<const char*>(stem), static_cast<std::size_t>(length)};
}

}  // namespace ragline
