#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "grep/finder.h"
#include "grep/regex.h"

// What is asked of every line and file: patterns, joined by conditions.
namespace ragline {

// A pattern as the user gave it.
struct PatternText {
  std::string id;    // named in records; "" is its number, from 1
  std::string text;
  std::string place; // for messages: "-e", "patterns.txt:12:"
  std::optional<bool> fixed{}, ignore_case{};  // where they differ from PatternOptions
};

struct PatternOptions {
  bool fixed = false, ignore_case = false, smart_case = false;
  bool word = false, whole_line = false;
  bool multiline = false, dot_newline = false;
  bool near = false;  // of a conjunction only the first part need hold on the line itself
};

// Which lines (or files) are meant, by which patterns hit: a tree over pattern numbers.
struct HitCondition {
  enum class Kind : std::uint8_t { kTerm, kAnd, kOr, kNot } kind = Kind::kOr;
  std::uint32_t term = 0;
  std::vector<HitCondition> children;

  template <class Holds>
  bool evaluate(const Holds& holds) const {
    switch (kind) {
      case Kind::kTerm: return holds(term);
      case Kind::kNot: return !children[0].evaluate(holds);
      case Kind::kAnd:
        for (const HitCondition& child : children)
          if (!child.evaluate(holds)) return false;
        return true;
      case Kind::kOr:
        for (const HitCondition& child : children)
          if (child.evaluate(holds)) return true;
        return false;
    }
    return false;
  }
  // Terms of which at least one must hold for the condition to hold, as few as can be told; nullopt when it can hold without.
  std::optional<std::vector<std::uint32_t>> anchors() const;
  // Terms that no `not` stands before: those whose matches are shown.
  void positive_terms(std::vector<std::uint32_t>& out, bool negated = false) const;
};
HitCondition term_condition(std::uint32_t term);
HitCondition join_conditions(HitCondition::Kind kind, std::vector<HitCondition> children);

// Parses a condition over patterns, as in --where '("timeout" or retry) and not "^#"': and, or, not, parentheses; a pattern is a
// word or "quoted" (\" and \\ inside). Patterns are appended to `patterns`. kUsage with the place.
Result<HitCondition> parse_condition(std::string_view text, std::string_view flag, std::vector<PatternText>& patterns);

// Patterns compiled, conditions settled. Immutable; shared by all threads.
class GrepQuery {
 public:
  struct Term {
    Regex regex;
    std::string id, text;
  };
  // `line` and `file` speak of indexes of `patterns`. kUsage names the pattern's place.
  static Result<std::shared_ptr<const GrepQuery>> compile(std::vector<PatternText> patterns, const PatternOptions& options,
                                                      HitCondition line, std::optional<HitCondition> file, const Engines& engines = {});

  const std::vector<Term>& terms() const { return terms_; }
  bool word() const { return word_; }
  const PatternOptions& options() const { return options_; }
  const HitCondition& line() const { return line_; }
  const std::optional<HitCondition>& file() const { return file_; }
  // Lines are settled by one pattern's or any pattern's hit: no other condition.
  bool any_of() const { return any_of_; }
  // The patterns whose hits make a line a candidate, and the plan that looks for them.
  const std::vector<std::uint32_t>& sought() const { return sought_; }
  const FinderPlan& plan() const { return *plan_; }
  // Patterns whose matches are shown, and the regex of any of them.
  const std::vector<std::uint32_t>& shown() const { return shown_; }
  const Regex& shown_regex() const { return shown_regex_; }
  // One plan for each term of file(), by term number; null for others.
  const FinderPlan* file_plan(std::uint32_t term) const { return file_plans_[term].get(); }
  std::string route(std::uint32_t term) const;

 private:
  GrepQuery() = default;
  std::vector<Term> terms_;
  PatternOptions options_;
  bool word_ = false, any_of_ = false;
  HitCondition line_;
  std::optional<HitCondition> file_;
  std::vector<std::uint32_t> sought_, shown_;
  Regex shown_regex_;
  std::unique_ptr<FinderPlan> plan_;
  std::vector<std::unique_ptr<FinderPlan>> file_plans_;
};

}  // namespace ragline
