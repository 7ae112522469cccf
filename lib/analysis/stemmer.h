#pragma once
#include <array>
#include <cstddef>
#include <string_view>

#include "analysis/language.h"

struct sb_stemmer;

namespace ragline {

// Snowball's stemmers, one per language, made on first use. Thread-compatible.
class Stemmers {
 public:
  Stemmers() = default;
  ~Stemmers();
  Stemmers(const Stemmers&) = delete;
  Stemmers& operator=(const Stemmers&) = delete;

  // The stem of a case-folded word; English uses Porter's first algorithm, as Anserini does. The word itself when the
  // language has no stemmer. Valid until the next call.
  std::string_view stem(std::string_view folded, Language language);

 private:
  std::array<sb_stemmer*, static_cast<std::size_t>(Language::kCount)> stemmers_{};
};

}  // namespace ragline
