#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "grep/line_matcher.h"
#include "grep/query.h"

namespace ragline {

// A span of a line and the pattern that it is of (an index of GrepQuery::terms).
struct TermSpan {
  std::size_t begin = 0, end = 0;
  std::uint32_t term = 0;
};

// A line by its place in a text.
struct LinePlace {
  std::size_t begin = 0, end = 0;  // end: of the line, without the newline
  std::size_t behind = 0;          // where the next line begins
};

// One thread's engines for a query: the finder that scans blocks, and line matchers, which are made when first needed.
class Matcher {
 public:
  explicit Matcher(std::shared_ptr<const GrepQuery> query);

  const GrepQuery& query() const { return *query_; }
  Finder& finder() { return *finder_; }
  // The first line that the finder, which was started on `text`, reports at `from` or later. False: none.
  bool next_candidate(std::string_view text, std::size_t from, LinePlace& line);
  // The line condition on one line that the finder has reported; the line is without its newline.
  bool accepts(std::string_view line);
  // One pattern alone, on any line.
  bool holds(std::uint32_t term, std::string_view line) { return term_matcher(term).matches(line); }
  Finder& file_finder(std::uint32_t term);

  // Every shown pattern's own matches, by begin, then by pattern; those of different patterns may overlap.
  const std::vector<TermSpan>& term_spans(std::string_view line);
  // The matches of any shown pattern, leftmost first, the first pattern preferred, none overlapping: what ripgrep shows.
  const std::vector<ByteSpan>& spans(std::string_view line);
  LineMatcher& shown_matcher();

 private:
  LineMatcher& term_matcher(std::uint32_t term);

  std::shared_ptr<const GrepQuery> query_;
  std::unique_ptr<Finder> finder_;
  std::vector<std::unique_ptr<Finder>> file_finders_;
  std::vector<std::unique_ptr<LineMatcher>> matchers_;
  std::optional<LineMatcher> shown_;
  std::vector<std::uint32_t> numbers_;
  std::vector<ByteSpan> spans_;
  std::vector<TermSpan> term_spans_;
};

}  // namespace ragline
