#include "core/text.h"
#include "grep/query.h"

namespace ragline {

using Kind = HitCondition::Kind;

HitCondition term_condition(std::uint32_t term) {
  HitCondition condition;
  condition.kind = Kind::kTerm;
  condition.term = term;
  return condition;
}

HitCondition join_conditions(Kind kind, std::vector<HitCondition> children) {
  if (children.size() == 1 && kind != Kind::kNot) return std::move(children[0]);
  HitCondition condition;
  condition.kind = kind;
  condition.children = std::move(children);
  return condition;
}

std::optional<std::vector<std::uint32_t>> HitCondition::anchors() const {
  switch (kind) {
    case Kind::kTerm: return std::vector<std::uint32_t>{term};
    case Kind::kNot: return std::nullopt;
    case Kind::kOr: {
      std::vector<std::uint32_t> all;
      for (const HitCondition& child : children) {
        const auto some = child.anchors();
        if (!some) return std::nullopt;
        all.insert(all.end(), some->begin(), some->end());
      }
      return all;
    }
    case Kind::kAnd: {
      std::optional<std::vector<std::uint32_t>> fewest;
      for (const HitCondition& child : children) {
        auto some = child.anchors();
        if (some && (!fewest || some->size() < fewest->size())) fewest = std::move(some);
      }
      return fewest;
    }
  }
  return std::nullopt;
}

void HitCondition::positive_terms(std::vector<std::uint32_t>& out, bool negated) const {
  if (kind == Kind::kTerm && !negated) out.push_back(term);
  for (const HitCondition& child : children) child.positive_terms(out, negated != (kind == Kind::kNot));
}

namespace {

constexpr int kMostLevels = 64;

// or := and { "or" and }     and := not { "and" not }     not := { "not" } ( "(" or ")" | pattern )
class ConditionParser {
 public:
  ConditionParser(std::string_view text, std::string_view flag, std::vector<PatternText>& patterns)
      : text_(text), flag_(flag), patterns_(patterns) {}

  Result<HitCondition> parse() {
    RAGLINE_TRY(HitCondition condition, any(0));
    skip_blanks();
    if (at_ < text_.size()) return wrong("expected 'and', 'or' or the end");
    return condition;
  }

 private:
  std::unexpected<Error> wrong(std::string_view what) const {
    return fail(ErrorKind::kUsage, cat(flag_, ": at ", at_ + 1, ": ", what, ": as in --where '(\"a b\" or c) and not d'"));
  }
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take_word(std::string_view word) {
    skip_blanks();
    const std::size_t end = at_ + word.size();
    if (ascii_lower(text_.substr(at_, word.size())) != word) return false;
    if (end < text_.size() && text_[end] != ' ' && text_[end] != '(' && text_[end] != '"') return false;
    at_ = end;
    return true;
  }

  Result<HitCondition> any(int level) {
    std::vector<HitCondition> children;
    do {
      RAGLINE_TRY(HitCondition child, all(level));
      children.push_back(std::move(child));
    } while (take_word("or"));
    return join_conditions(Kind::kOr, std::move(children));
  }

  Result<HitCondition> all(int level) {
    std::vector<HitCondition> children;
    do {
      RAGLINE_TRY(HitCondition child, one(level));
      children.push_back(std::move(child));
    } while (take_word("and"));
    return join_conditions(Kind::kAnd, std::move(children));
  }

  Result<HitCondition> one(int level) {
    if (level >= kMostLevels) return wrong("more than 64 levels");
    if (take_word("not")) {
      RAGLINE_TRY(HitCondition inside, one(level + 1));
      std::vector<HitCondition> children;
      children.push_back(std::move(inside));
      return join_conditions(Kind::kNot, std::move(children));
    }
    skip_blanks();
    if (at_ == text_.size()) return wrong("expected a pattern");
    if (text_[at_] == ')') return wrong("expected a pattern before ')'");
    if (text_[at_] == '(') {
      ++at_;
      RAGLINE_TRY(HitCondition inside, any(level + 1));
      skip_blanks();
      if (at_ == text_.size() || text_[at_] != ')') return wrong("expected ')'");
      ++at_;
      return inside;
    }
    std::string pattern;
    if (text_[at_] == '"') {
      const std::size_t begin = at_++;
      while (at_ < text_.size() && text_[at_] != '"') {
        if (text_[at_] == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\')) {
          // \\ stays an escape of the pattern, \" is a quote in it.
          if (text_[at_ + 1] == '\\') pattern += '\\';
          ++at_;
        }
        pattern += text_[at_++];
      }
      if (at_ == text_.size()) {
        at_ = begin;
        return wrong("a quote that is not closed");
      }
      ++at_;
    } else {
      while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '(' && text_[at_] != ')') pattern += text_[at_++];
    }
    patterns_.push_back({"", std::move(pattern), std::string(flag_), {}, {}});
    return term_condition(static_cast<std::uint32_t>(patterns_.size() - 1));
  }

  std::string_view text_, flag_;
  std::vector<PatternText>& patterns_;
  std::size_t at_ = 0;
};

}  // namespace

Result<HitCondition> parse_condition(std::string_view text, std::string_view flag, std::vector<PatternText>& patterns) {
  return ConditionParser(text, flag, patterns).parse();
}

}  // namespace ragline
