#include <algorithm>

#include "core/text.h"
#include "grep/bytes.h"
#include "grep/finder.h"

namespace ragline {

namespace {

// Long s and the Kelvin sign fold to ASCII letters: a line that holds one may hold a match that no ASCII search sees.
constexpr std::string_view kLongS = "\xC5\xBF", kKelvin = "\xE2\x84\xAA";

class LiteralFinder : public Finder {
 public:
  LiteralFinder(const LiteralSearch& search, bool fold, bool word) : search_(search), word_(word) {
    if (fold && search.needle().find('s') != std::string::npos) others_.emplace_back(std::string(kLongS), false);
    if (fold && search.needle().find('k') != std::string::npos) others_.emplace_back(std::string(kKelvin), false);
    other_places_.resize(others_.size());
  }

  void start(std::string_view text) override {
    text_ = text;
    for (std::size_t i = 0; i < others_.size(); ++i) other_places_[i] = others_[i].find(text, 0);
  }

  std::size_t next(std::size_t from) override {
    std::size_t found = search_.find(text_, from);
    while (word_ && found != kNone && inside_word(found)) found = search_.find(text_, found + 1);
    for (std::size_t i = 0; i < others_.size(); ++i) {
      if (other_places_[i] < from) other_places_[i] = others_[i].find(text_, from);
      found = std::min(found, other_places_[i]);
    }
    return found;
  }

  Certainty certainty() const override {
    return word_ || !others_.empty() ? Certainty::kSureIfAscii : Certainty::kSure;
  }
  bool patterns_on(std::string_view, std::vector<std::uint32_t>& out) override {
    out.push_back(0);
    return true;
  }

 private:
  bool inside_word(std::size_t at) const {
    const std::size_t end = at + search_.needle().size();
    return (at > 0 && is_ascii_word(static_cast<unsigned char>(text_[at - 1]))) ||
           (end < text_.size() && is_ascii_word(static_cast<unsigned char>(text_[end])));
  }

  const LiteralSearch& search_;
  bool word_;
  std::vector<LiteralSearch> others_;
  std::vector<std::size_t> other_places_;
  std::string_view text_;
};

class LiteralPlan : public FinderPlan {
 public:
  LiteralPlan(std::string needle, bool fold, bool word) : search_(std::move(needle), fold), fold_(fold), word_(word) {}
  std::unique_ptr<Finder> make() const override { return std::make_unique<LiteralFinder>(search_, fold_, word_); }
  std::string route(std::size_t) const override {
    return cat("one string, by a vector search", fold_ ? " in either case" : "", word_ ? " for whole words" : "");
  }

 private:
  LiteralSearch search_;
  bool fold_, word_;
};

}  // namespace

std::unique_ptr<FinderPlan> plan_literal(std::string needle, bool fold, bool word) {
  return std::make_unique<LiteralPlan>(std::move(needle), fold, word);
}

}  // namespace ragline
