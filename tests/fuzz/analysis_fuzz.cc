// Analysis: any bytes split as the slow twin splits them, and every word expands to well-formed terms within bounds, in a
// language that the input's first byte picks.
#include "analysis/analyzer.h"

#include "../unit/analysis/slow_words.h"
#include "fuzz.h"

using namespace ragline;
using fuzz::require;

namespace {

void check_terms(const Expansion& expansion, std::string_view word) {
  std::uint32_t words = 0, position = 0;
  for (const Term& term : expansion.terms) {
    words += term.role == TermRole::kWord;
    require(!term.text.empty() && term.text.size() <= kMaxTermBytes && is_valid_utf8(term.text));
    require(term.position >= position && term.position < expansion.positions);
    require(term.begin < term.end && term.end <= word.size());
    position = term.position;
  }
  require(words == expansion.length);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text(data, size);
  static Analyzer analyzer;
  std::vector<RawWord> words;
  analyzer.split_words(text, words);
  const std::vector<RawWord> slow = slow::split_words(text);
  require(words.size() == slow.size());
  const auto language = static_cast<Language>(size ? data[0] % static_cast<unsigned>(Language::kCount) : 0);
  Expansion expansion;
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto [begin, end] = words[i];
    require(begin == slow[i].begin && end == slow[i].end);
    require(begin >= last && begin < end && end <= text.size());
    last = end;
    analyzer.expand(text.substr(begin, end - begin), language, expansion);
    check_terms(expansion, text.substr(begin, end - begin));
  }
  analyzer.expand(text.substr(0, 2000), language, expansion);
  check_terms(expansion, text.substr(0, 2000));
  require(is_valid_utf8(fold_text(text)));
  detect_language(text);
  return 0;
}
