// What a FileSearcher needs to know of a whole file before its lines: conditions on the file, and lines that are near.
#include <algorithm>

#include "grep/file_searcher.h"

namespace ragline {

namespace {

void collect_terms(const HitCondition& condition, std::vector<std::uint32_t>& out) {
  if (condition.kind == HitCondition::Kind::kTerm) out.push_back(condition.term);
  for (const HitCondition& child : condition.children) collect_terms(child, out);
}

}  // namespace

// Three-valued: a term not seen yet may still come, so a file is settled early only when no later line could change the answer.
Result<bool> FileSearcher::meets_file_condition(BlockReader& reader, const GoOn& go_on) {
  const HitCondition& condition = *matcher_.query().file();
  std::vector<std::uint32_t> terms;
  collect_terms(condition, terms);
  std::vector<bool> seen(matcher_.query().terms().size());
  auto now = [&](std::uint32_t term) { return static_cast<bool>(seen[term]); };
  auto settled = [&] {
    // Monotone in the unseen terms where no `not` stands before them: then true stays true.
    std::vector<std::uint32_t> positive;
    condition.positive_terms(positive);
    const bool has_not = positive.size() < terms.size();
    return (!has_not && condition.evaluate(now)) || std::ranges::all_of(terms, now);
  };
  LineBlock block;
  while (true) {
    RAGLINE_TRY(const bool more, reader.next(block));
    if (!more) break;
    for (const std::uint32_t term : terms) {
      if (seen[term]) continue;
      Finder& finder = matcher_.file_finder(term);
      finder.start(block.text);
      for (std::size_t from = 0; from < block.text.size();) {
        const std::size_t at = finder.next(from);
        if (at == Finder::kNone) break;
        std::size_t begin = block.text.rfind('\n', at);
        begin = begin == block.text.npos || begin < from ? from : begin + 1;
        const std::size_t end = std::min(block.text.find('\n', at), block.text.size());
        if (finder.certainty() == Certainty::kSure || matcher_.holds(term, block.text.substr(begin, end - begin))) {
          seen[term] = true;
          break;
        }
        from = end + 1;
      }
    }
    if (settled() || !go_on(block.offset + block.text.size())) break;
  }
  return condition.evaluate(now);
}

Status FileSearcher::note_near(BlockReader& reader, const GoOn& go_on) {
  std::vector<std::uint32_t> terms;
  collect_terms(matcher_.query().line(), terms);
  near_lines_.assign(matcher_.query().terms().size(), {});
  std::uint64_t number = 1;
  LineBlock block;
  while (true) {
    RAGLINE_TRY(const bool more, reader.next(block));
    if (!more) return {};
    for (std::size_t begin = 0; begin < block.text.size();) {
      const std::size_t newline = block.text.find('\n', begin);
      const std::string_view line = block.text.substr(begin, newline - begin);
      for (const std::uint32_t term : terms)
        if (matcher_.holds(term, line)) near_lines_[term].push_back(number);
      if (newline == block.text.npos) break;
      begin = newline + 1;
      ++number;
    }
    if (!go_on(block.offset + block.text.size())) return {};
  }
}

// A line is a match when a pattern of the first conjunct (the -e patterns) hits on it and every other conjunct holds within the
// distance: a `not` when no line that near has its pattern.
bool FileSearcher::is_near(std::string_view text, std::uint64_t number) {
  const HitCondition& line = matcher_.query().line();
  auto here = [&](std::uint32_t term) { return matcher_.holds(term, text); };
  auto near = [&](std::uint32_t term) {
    const auto& lines = near_lines_[term];
    const std::uint64_t first = number > options_.near ? number - options_.near : 1;
    const auto found = std::ranges::lower_bound(lines, first);
    return found != lines.end() && *found <= number + options_.near;
  };
  if (line.kind != HitCondition::Kind::kAnd) return line.evaluate(here);
  if (!line.children[0].evaluate(here)) return false;
  return std::all_of(line.children.begin() + 1, line.children.end(), [&](const HitCondition& child) { return child.evaluate(near); });
}

}  // namespace ragline
