#include "grep/query.h"

#include <algorithm>

#include "core/text.h"

namespace ragline {

namespace {

// Every term that the condition speaks of.
void collect_terms(const HitCondition& condition, std::vector<std::uint32_t>& out) {
  if (condition.kind == HitCondition::Kind::kTerm) out.push_back(condition.term);
  for (const HitCondition& child : condition.children) collect_terms(child, out);
}

void sort_unique(std::vector<std::uint32_t>& numbers) {
  std::ranges::sort(numbers);
  const auto rest = std::ranges::unique(numbers);
  numbers.erase(rest.begin(), rest.end());
}

Result<GrepQuery::Term> compile_term(PatternText& pattern, const PatternOptions& options, std::size_t number) {
  const SyntaxOptions syntax{pattern.fixed.value_or(options.fixed), pattern.ignore_case.value_or(options.ignore_case), options.multiline,
                             options.dot_newline};
  auto named = [&](const Error& error) {
    return fail(error.kind, cat(pattern.place, " '", pattern.text.substr(0, 200), "': ", error.message));
  };
  auto regex = parse_regex(pattern.text, syntax);
  if (!regex) return named(regex.error());
  if (options.smart_case && !syntax.fold && !regex->holds_upper_case()) {
    SyntaxOptions folded = syntax;
    folded.fold = true;
    regex = parse_regex(pattern.text, folded);
  }
  GrepQuery::Term term{options.whole_line ? whole_lines(std::move(*regex)) : std::move(*regex), std::move(pattern.id), std::move(pattern.text)};
  if (term.id.empty()) term.id = std::to_string(number + 1);
  return term;
}

}  // namespace

Result<std::shared_ptr<const GrepQuery>> GrepQuery::compile(std::vector<PatternText> patterns, const PatternOptions& options, HitCondition line,
                                                    std::optional<HitCondition> file, const Engines& engines) {
  auto query = std::shared_ptr<GrepQuery>(new GrepQuery);
  query->options_ = options;
  query->word_ = options.word && !options.whole_line;
  query->line_ = std::move(line);
  query->file_ = std::move(file);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    RAGLINE_TRY(Term term, compile_term(patterns[i], options, i));
    query->terms_.push_back(std::move(term));
  }
  query->any_of_ = query->line_.kind == HitCondition::Kind::kTerm ||
                   (query->line_.kind == HitCondition::Kind::kOr &&
                    std::ranges::all_of(query->line_.children, [](const HitCondition& c) { return c.kind == HitCondition::Kind::kTerm; }));
  query->line_.positive_terms(query->shown_);
  sort_unique(query->shown_);
  std::vector<Regex> shown;
  for (const auto term : query->shown_) shown.push_back(query->terms_[term].regex);
  query->shown_regex_ = shown.size() == 1 ? std::move(shown[0]) : make_list(Regex::Kind::kAlternate, std::move(shown));

  auto plan_for = [&](const std::vector<std::uint32_t>& terms) {
    std::vector<SoughtPattern> sought;
    for (const auto term : terms) sought.push_back({&query->terms_[term].regex, query->word_});
    return plan_finder(sought, engines);
  };
  const bool first_only = options.near && query->line_.kind == HitCondition::Kind::kAnd;
  if (auto anchors = first_only ? query->line_.children[0].anchors() : query->line_.anchors()) {
    query->sought_ = std::move(*anchors);
    sort_unique(query->sought_);
    if (!query->sought_.empty()) {
      RAGLINE_TRY(query->plan_, plan_for(query->sought_));
    }
  }
  if (!query->plan_) query->plan_ = plan_every_line();
  query->file_plans_.resize(query->terms_.size());
  if (query->file_) {
    std::vector<std::uint32_t> terms;
    collect_terms(*query->file_, terms);
    for (const auto term : terms) {
      RAGLINE_TRY(query->file_plans_[term], plan_for({term}));
    }
  }
  return query;
}

std::string GrepQuery::route(std::uint32_t term) const {
  if (file_plans_[term]) return cat("file condition: ", file_plans_[term]->route(0));
  const auto place = std::ranges::find(sought_, term);
  if (place == sought_.end()) return "RE2 on the lines that the other patterns leave";
  return plan_->route(static_cast<std::size_t>(place - sought_.begin()));
}

}  // namespace ragline
