#include "search/snippet.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/text.h"
#include "core/utf8.h"

namespace ragline {

namespace {

// A text on one line: bytes, and where each character begins (with the end of the text as the last
// entry).
struct Line {
  std::string text;
  std::vector<std::size_t> starts;
  struct Match {
    std::size_t begin, end;  // characters
  };
  std::vector<Match> matches;

  std::size_t size() const { return starts.size() - 1; }
  std::string_view piece(std::size_t begin, std::size_t end) const {
    return std::string_view(text).substr(starts[begin], starts[end] - starts[begin]);
  }
  bool is_blank(std::size_t at) const { return text[starts[at]] == ' '; }
};

// Blanks of any kind, and controls and changes of direction, which a terminal would obey.
bool folds(char32_t c) {
  return c <= 0x20 || (c >= 0x7F && c <= 0xA0) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0x3000;
}

Line flatten(std::string_view text, const std::vector<ByteSpan>& matches) {
  Line line;
  auto match = matches.begin();
  bool open = false;
  for (std::size_t at = 0; at < text.size();) {
    if (open && match->end <= at) {
      line.matches.back().end = line.starts.size();
      open = false;
      ++match;
    }
    if (!open && match != matches.end() && match->begin <= at) {
      line.matches.push_back({line.starts.size(), line.starts.size()});
      open = true;
    }
    const char32_t c = next_code_point(text, at);
    const bool blank = folds(c);
    if (blank && (line.text.empty() || line.text.back() == ' ')) continue;
    line.starts.push_back(line.text.size());
    append_utf8(line.text, blank ? U' ' : c);
  }
  if (open) line.matches.back().end = line.starts.size();
  if (!line.text.empty() && line.text.back() == ' ') {
    line.text.pop_back();
    line.starts.pop_back();
  }
  line.starts.push_back(line.text.size());
  for (Line::Match& one : line.matches) one.end = std::min(one.end, line.size());
  std::erase_if(line.matches, [](const Line::Match& one) { return one.begin >= one.end; });
  return line;
}

// The first and last of the matches to show. Two pointers: each match as the last one, with as many
// before it as fit.
std::pair<std::size_t, std::size_t> best_matches(const Line& line, std::size_t width) {
  std::vector<std::size_t> words;  // what each match says, by number
  std::map<std::string, std::size_t> numbers;
  for (const Line::Match& match : line.matches)
    words.push_back(numbers.emplace(ascii_lower(line.piece(match.begin, match.end)), numbers.size())
                        .first->second);
  std::vector<std::size_t> shown(numbers.size(), 0);
  std::size_t first = 0, different = 0;
  std::pair<std::size_t, std::size_t> best{0, 0}, best_score{0, 0};
  for (std::size_t last = 0; last < words.size(); ++last) {
    if (shown[words[last]]++ == 0) ++different;
    for (; first < last && line.matches[last].end - line.matches[first].begin > width; ++first)
      if (--shown[words[first]] == 0) --different;
    const std::pair<std::size_t, std::size_t> score{different, last - first + 1};
    if (score > best_score) {
      best_score = score;
      best = {first, last};
    }
  }
  return best;
}

// Where to begin and end, in characters, given what has to be inside.
std::pair<std::size_t, std::size_t> window(const Line& line, std::size_t begin, std::size_t end,
                                           std::size_t width) {
  const std::size_t spare = width > end - begin ? width - (end - begin) : 0;
  const std::size_t inner_begin = begin, inner_end = end;
  // A third of what is spare goes before: text explains what it has named. What one side cannot use
  // the other gets.
  begin -= std::min(begin, std::max(spare / 3, spare - std::min(spare, line.size() - end)));
  end = std::min(line.size(), std::max(inner_end, begin + width));
  for (std::size_t step = 0; begin > 0 && step < kSnippetReach && begin + step < inner_begin;
       ++step)
    if (line.is_blank(begin + step)) {
      begin += step + 1;
      break;
    }
  for (std::size_t step = 0; end < line.size() && step < kSnippetReach && end - step > inner_end;
       ++step)
    if (line.is_blank(end - step)) {
      end -= step;
      break;
    }
  return {begin, end};
}

}  // namespace

std::vector<ByteSpan> find_matches(std::string_view text, Language language,
                                   const std::unordered_set<std::string>& terms,
                                   Analyzer& analyzer) {
  std::vector<ByteSpan> found;
  if (terms.empty()) return found;
  std::vector<RawWord> words;
  analyzer.split_words(text, words);
  Expansion expansion;
  for (const RawWord& word : words) {
    analyzer.expand(text.substr(word.begin, word.end - word.begin), language, expansion);
    for (const Term& term : expansion.terms)
      if (terms.contains(term.text))
        found.push_back({word.begin + term.begin, word.begin + term.end});
  }
  std::sort(found.begin(), found.end(), [](const ByteSpan& a, const ByteSpan& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::vector<ByteSpan> merged;
  for (const ByteSpan& span : found) {
    if (!merged.empty() && span.begin <= merged.back().end)
      merged.back().end = std::max(merged.back().end, span.end);
    else
      merged.push_back(span);
  }
  return merged;
}

Snippet make_snippet(std::string_view text, const std::vector<ByteSpan>& matches,
                     std::size_t width) {
  const Line line = flatten(text, matches);
  std::size_t begin = 0, end = 0;
  if (!line.matches.empty()) {
    const auto [first, last] = best_matches(line, width);
    begin = line.matches[first].begin;
    end = line.matches[last].end;
  }
  std::tie(begin, end) = window(line, begin, end, width);

  Snippet snippet;
  if (begin > 0) snippet.text = "...";
  const std::size_t shift = snippet.text.size();
  snippet.text += line.piece(begin, end);
  if (end < line.size()) snippet.text += "...";
  for (const Line::Match& match : line.matches)
    if (match.begin >= begin && match.end <= end)
      snippet.matches.push_back({line.starts[match.begin] - line.starts[begin] + shift,
                                 line.starts[match.end] - line.starts[begin] + shift});
  return snippet;
}

}  // namespace ragline
