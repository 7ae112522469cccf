#include <algorithm>
#include <bit>

#include "grep/bytes.h"
#include "grep/class_sequence.h"
#include "grep/finder.h"

namespace ragline {

namespace {

class ClassesFinder : public Finder {
 public:
  explicit ClassesFinder(const ClassSequence& sequence) : sequence_(sequence) {}

  void start(std::string_view text) override {
    text_ = text;
    sequence_.mark(text, ends_);
    other_ = sequence_.covers_all() ? kNone : find_non_ascii(text, 0);
  }

  std::size_t next(std::size_t from) override {
    if (other_ != kNone && other_ < from) other_ = find_non_ascii(text_, from);
    for (std::size_t i = from / 64; i < ends_.size() && i * 64 <= other_; ++i) {
      const std::uint64_t word = i == from / 64 ? ends_[i] & ~std::uint64_t{0} << from % 64 : ends_[i];
      if (word) return std::min(other_, i * 64 + static_cast<std::size_t>(std::countr_zero(word)));
    }
    return other_;
  }

  Certainty certainty() const override { return sequence_.covers_all() ? Certainty::kSure : Certainty::kSureIfAscii; }
  bool patterns_on(std::string_view, std::vector<std::uint32_t>& out) override {
    out.push_back(0);
    return true;
  }

 private:
  const ClassSequence& sequence_;
  std::string_view text_;
  std::vector<std::uint64_t> ends_;
  std::size_t other_ = kNone;  // the next byte that is not ASCII: its line is a candidate, since nothing is known about it
};

class ClassesPlan : public FinderPlan {
 public:
  explicit ClassesPlan(ClassSequence sequence) : sequence_(std::move(sequence)) {}
  std::unique_ptr<Finder> make() const override { return std::make_unique<ClassesFinder>(sequence_); }
  std::string route(std::size_t) const override {
    return sequence_.covers_all() ? "classes, by bit streams" : "classes, by bit streams; RE2 decides on lines that are not ASCII";
  }

 private:
  ClassSequence sequence_;
};

}  // namespace

std::unique_ptr<FinderPlan> plan_classes(const Regex& regex) {
  auto sequence = ClassSequence::of(regex);
  if (!sequence) return nullptr;
  return std::make_unique<ClassesPlan>(std::move(*sequence));
}

}  // namespace ragline
