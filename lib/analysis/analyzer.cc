#include "analysis/analyzer.h"

#include "analysis/expander.h"
#include "analysis/fold.h"
#include "analysis/splitter.h"
#include "core/utf8.h"

namespace ragline {

struct Analyzer::State {
  Splitter splitter;
  Expander expander;
};

Analyzer::Analyzer() : state_(std::make_unique<State>()) {}
Analyzer::~Analyzer() = default;
Analyzer::Analyzer(Analyzer&&) noexcept = default;
Analyzer& Analyzer::operator=(Analyzer&&) noexcept = default;

void Analyzer::split_words(std::string_view text, std::vector<RawWord>& words) { state_->splitter.split(text, words); }

void Analyzer::expand(std::string_view word, Language language, Expansion& out) {
  state_->expander.expand(word, language, out);
}

std::string fold_text(std::string_view text) {
  if (!is_valid_utf8(text)) return strip_accents(case_fold(to_valid_utf8(text)));
  return strip_accents(case_fold(text));
}

}  // namespace ragline
