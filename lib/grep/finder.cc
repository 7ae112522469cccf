#include "grep/finder.h"

#include <algorithm>

#include "core/text.h"

namespace ragline {

bool Finder::patterns_on(std::string_view, std::vector<std::uint32_t>&) { return false; }

namespace {

class EveryLine : public Finder {
 public:
  void start(std::string_view text) override { size_ = text.size(); }
  std::size_t next(std::size_t from) override { return from < size_ ? from : kNone; }
  Certainty certainty() const override { return Certainty::kMaybe; }

 private:
  std::size_t size_ = 0;
};

class EveryLinePlan : public FinderPlan {
 public:
  std::unique_ptr<Finder> make() const override { return std::make_unique<EveryLine>(); }
  std::string route(std::size_t) const override { return "every line, by RE2: some pattern matches the empty string"; }
};

// Several finders for parts of the patterns: `numbers[i]` are the patterns of part i.
class UnionFinder : public Finder {
 public:
  UnionFinder(std::vector<std::unique_ptr<Finder>> parts, const std::vector<std::vector<std::uint32_t>>& numbers)
      : parts_(std::move(parts)), numbers_(numbers), places_(parts_.size()) {}

  void start(std::string_view text) override {
    for (auto& part : parts_) part->start(text);
    std::ranges::fill(places_, 0);
    fresh_ = true;
  }
  std::size_t next(std::size_t from) override {
    std::size_t first = kNone;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (places_[i] != kNone && (fresh_ || places_[i] < from)) places_[i] = parts_[i]->next(from);
      first = std::min(first, places_[i]);
    }
    fresh_ = false;
    return first;
  }
  Certainty certainty() const override {
    Certainty least = Certainty::kSure;
    for (const auto& part : parts_) least = std::max(least, part->certainty());
    return least;
  }
  bool patterns_on(std::string_view line, std::vector<std::uint32_t>& out) override {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::size_t before = out.size();
      if (!parts_[i]->patterns_on(line, out)) {
        out.resize(before);
        out.insert(out.end(), numbers_[i].begin(), numbers_[i].end());
        continue;
      }
      for (std::size_t j = before; j < out.size(); ++j) out[j] = numbers_[i][out[j]];
    }
    std::ranges::sort(out);
    return true;
  }

 private:
  std::vector<std::unique_ptr<Finder>> parts_;
  const std::vector<std::vector<std::uint32_t>>& numbers_;
  std::vector<std::size_t> places_;
  bool fresh_ = true;
};

class UnionPlan : public FinderPlan {
 public:
  void add(std::unique_ptr<FinderPlan> plan, std::vector<std::uint32_t> numbers) {
    plans_.push_back(std::move(plan));
    numbers_.push_back(std::move(numbers));
  }
  std::unique_ptr<Finder> make() const override {
    std::vector<std::unique_ptr<Finder>> parts;
    for (const auto& plan : plans_) parts.push_back(plan->make());
    return std::make_unique<UnionFinder>(std::move(parts), numbers_);
  }
  std::string route(std::size_t i) const override {
    for (std::size_t part = 0; part < plans_.size(); ++part) {
      const auto found = std::ranges::find(numbers_[part], i);
      if (found != numbers_[part].end()) return plans_[part]->route(static_cast<std::size_t>(found - numbers_[part].begin()));
    }
    return "";
  }

 private:
  std::vector<std::unique_ptr<FinderPlan>> plans_;
  std::vector<std::vector<std::uint32_t>> numbers_;
};

}  // namespace

std::unique_ptr<FinderPlan> plan_every_line() { return std::make_unique<EveryLinePlan>(); }

Result<std::unique_ptr<FinderPlan>> plan_finder(const std::vector<SoughtPattern>& patterns, const Engines& engines) {
  if (std::ranges::any_of(patterns, [](const SoughtPattern& each) { return each.regex->can_match_empty(); }))
    return plan_every_line();
  if (patterns.size() == 1 && engines.literal) {
    if (auto text = patterns[0].regex->literal()) return plan_literal(*text, false, patterns[0].word);
    if (auto text = patterns[0].regex->folded_literal()) return plan_literal(*text, true, patterns[0].word);
  }
  // With a string of some length in it, Hyperscan looks for that first, which is faster still.
  const bool quick = engines.hyperscan && has_hyperscan() && has_long_literal(*patterns[0].regex);
  if (patterns.size() == 1 && engines.classes && !patterns[0].word && !quick)
    if (auto plan = plan_classes(*patterns[0].regex)) return plan;
  if (!engines.hyperscan || !has_hyperscan()) return plan_re2(patterns);
  std::vector<std::size_t> refused;
  auto plan = plan_hyperscan(patterns, refused);
  if (plan) return plan;
  if (refused.empty() || refused.size() == patterns.size()) return plan_re2(patterns);

  // Hyperscan takes what it can; RE2 the rest.
  std::vector<SoughtPattern> kept, left;
  std::vector<std::uint32_t> kept_numbers, left_numbers;
  for (std::uint32_t i = 0; i < patterns.size(); ++i) {
    const bool is_refused = std::ranges::binary_search(refused, std::size_t{i});
    (is_refused ? left : kept).push_back(patterns[i]);
    (is_refused ? left_numbers : kept_numbers).push_back(i);
  }
  std::vector<std::size_t> more;
  auto fast = plan_hyperscan(kept, more);
  if (!fast) return plan_re2(patterns);
  RAGLINE_TRY(auto slow, plan_re2(left));
  auto both = std::make_unique<UnionPlan>();
  both->add(std::move(*fast), std::move(kept_numbers));
  both->add(std::move(slow), std::move(left_numbers));
  return both;
}

}  // namespace ragline
