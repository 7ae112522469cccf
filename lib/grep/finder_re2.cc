#include "core/text.h"
#include "grep/finder.h"
#include "grep/re2_program.h"

namespace ragline {

namespace {

// One program for all patterns; one for each where together they are too large.
class Re2Finder : public Finder {
 public:
  Re2Finder(const std::vector<std::string>& texts, Certainty certainty) : certainty_(certainty), places_(texts.size()) {
    // The plan has compiled the same texts once.
    for (const std::string& text : texts) programs_.push_back(*Re2Program::compile(text, Re2Program::Encoding::kUtf8Lines));
  }
  void start(std::string_view text) override {
    text_ = text;
    for (std::size_t i = 0; i < programs_.size(); ++i) places_[i] = place(i, 0);
  }
  std::size_t next(std::size_t from) override {
    std::size_t first = kNone;
    for (std::size_t i = 0; i < programs_.size(); ++i) {
      if (places_[i] != kNone && places_[i] < from) places_[i] = place(i, from);
      first = std::min(first, places_[i]);
    }
    return first;
  }
  Certainty certainty() const override { return certainty_; }

 private:
  std::size_t place(std::size_t i, std::size_t from) const {
    ByteSpan span;
    return from <= text_.size() && programs_[i].find(text_, from, span) ? static_cast<std::size_t>(span.begin) : kNone;
  }

  Certainty certainty_;
  std::vector<Re2Program> programs_;
  std::vector<std::size_t> places_;
  std::string_view text_;
};

class Re2Plan : public FinderPlan {
 public:
  Re2Plan(std::vector<std::string> texts, Certainty certainty) : texts_(std::move(texts)), certainty_(certainty) {}
  std::unique_ptr<Finder> make() const override { return std::make_unique<Re2Finder>(texts_, certainty_); }
  std::string route(std::size_t) const override {
    return cat("RE2 over the text", certainty_ == Certainty::kSure ? "" : ", then line by line for Unicode's word limits");
  }

 private:
  std::vector<std::string> texts_;
  Certainty certainty_;
};

}  // namespace

Result<std::unique_ptr<FinderPlan>> plan_re2(const std::vector<SoughtPattern>& patterns) {
  Certainty certainty = Certainty::kSure;
  std::vector<std::string> texts;
  std::string together;
  for (const SoughtPattern& each : patterns) {
    if (each.word || each.regex->has_boundary()) certainty = Certainty::kMaybe;
    texts.push_back(re2_superset(*each.regex));
    append(together, together.empty() ? "(?:" : "|(?:", texts.back(), ")");
  }
  if (Re2Program::compile(together, Re2Program::Encoding::kUtf8Lines)) {
    texts.assign(1, together);
  } else {
    for (const std::string& text : texts) RAGLINE_CHECK(Re2Program::compile(text, Re2Program::Encoding::kUtf8Lines));
  }
  return std::make_unique<Re2Plan>(std::move(texts), certainty);
}

}  // namespace ragline
