#include "grep/matcher.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "core/utf8.h"

namespace ragline {

Matcher::Matcher(std::shared_ptr<const GrepQuery> query)
    : query_(std::move(query)), finder_(query_->plan().make()), matchers_(query_->terms().size()) {}

LineMatcher& Matcher::term_matcher(std::uint32_t term) {
  auto& slot = matchers_[term];
  if (!slot) slot = std::make_unique<LineMatcher>(query_->terms()[term].regex, query_->word());
  return *slot;
}

LineMatcher& Matcher::shown_matcher() {
  if (!shown_) shown_.emplace(query_->shown_regex(), query_->word());
  return *shown_;
}

Finder& Matcher::file_finder(std::uint32_t term) {
  file_finders_.resize(query_->terms().size());
  if (!file_finders_[term]) file_finders_[term] = query_->file_plan(term)->make();
  return *file_finders_[term];
}

bool Matcher::next_candidate(std::string_view text, std::size_t from, LinePlace& line) {
  const std::size_t at = from < text.size() ? finder_->next(from) : Finder::kNone;
  if (at == Finder::kNone) return false;
  const void* before = at > from ? ::memrchr(text.data() + from, '\n', at - from) : nullptr;
  const void* after = std::memchr(text.data() + at, '\n', text.size() - at);
  auto place = [&](const void* byte) { return static_cast<std::size_t>(static_cast<const char*>(byte) - text.data()); };
  line.begin = before ? place(before) + 1 : from;
  line.end = after ? place(after) : text.size();
  line.behind = std::min(line.end + 1, text.size());
  return true;
}

bool Matcher::accepts(std::string_view line) {
  if (!query_->any_of()) return query_->line().evaluate([&](std::uint32_t term) { return holds(term, line); });
  const Certainty certainty = finder_->certainty();
  if (certainty == Certainty::kSure || (certainty == Certainty::kSureIfAscii && is_ascii(line))) return true;
  return shown_matcher().matches(line);
}

const std::vector<TermSpan>& Matcher::term_spans(std::string_view line) {
  term_spans_.clear();
  auto take = [&](std::uint32_t term) {
    spans_.clear();
    term_matcher(term).spans(line, spans_);
    for (const ByteSpan& span : spans_) term_spans_.push_back({span.begin, span.end, term});
  };
  numbers_.clear();
  const bool known = query_->shown().size() > 1 && finder_->patterns_on(line, numbers_);
  std::size_t at = 0;
  for (const std::uint32_t term : query_->shown()) {
    if (known && std::ranges::binary_search(query_->sought(), term)) {
      while (at < numbers_.size() && query_->sought()[numbers_[at]] < term) ++at;
      if (at == numbers_.size() || query_->sought()[numbers_[at]] != term) continue;
    }
    take(term);
  }
  std::ranges::sort(term_spans_, {}, [](const TermSpan& span) { return std::tuple(span.begin, span.term, span.end); });
  return term_spans_;
}

const std::vector<ByteSpan>& Matcher::spans(std::string_view line) {
  spans_.clear();
  shown_matcher().spans(line, spans_);
  return spans_;
}

}  // namespace ragline
