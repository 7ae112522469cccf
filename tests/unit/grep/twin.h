#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/utf8.h"
#include "grep/file_searcher.h"
#include "grep/pike.h"
#include "grep/query.h"

// Random patterns and texts, and the slow twin of a search: line by line, pattern by pattern, with an engine that no fast route
// uses on ASCII text (PikeVm).
namespace ragline::grep_test {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t bound) { return engine_() % bound; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <std::size_t N>
  std::string pick(const char* const (&choices)[N]) {
    return choices[below(N)];
  }

 private:
  std::mt19937 engine_;
};

// Few characters, so that matches are common; among them what engines disagree on.
inline std::string random_text(Random& random, std::size_t most, bool ascii) {
  static const char* const kAscii[] = {"a", "b", "ab", "B", "k", "s", "_", "-", " ", "foo", "1", "\n", "\n", "\r\n", "\t", "\v", "."};
  static const char* const kOthers[] = {"\xC3\xA9", "\xC3\x89", "\xE2\x84\xAA", "\xC5\xBF", "\xCE\xB1", "\xFF", "\x80", "\xC3", "\xF0\x9F\x98\x80", "\xE2\x80\xA8", "\xC2\x85"};
  std::string text;
  for (std::size_t pieces = random.below(most + 1); pieces > 0; --pieces)
    text += !ascii && random.one_in(6) ? random.pick(kOthers) : random.pick(kAscii);
  if (random.one_in(40)) text += std::string("\0", 1);
  return text;
}

inline std::string random_pattern(Random& random, int depth = 3) {
  static const char* const kLeaves[] = {"a", "b", "k", "s", "foo", "ab", "_", "-", "\\.", ".", "\\w", "\\d", "\\s", "\\W", "\\S", "[ab]", "[^a]", "[a-z]",
                                        "[^\\W_]", "\\pL", "\\p{Greek}", "\xC3\xA9", "^", "$", "\\b", "\\B", "(?i:k)", "[[:alpha:]]", "\xCE\xB1", "\\r", "[\\s-]"};
  static const char* const kRepeats[] = {"*", "+", "?", "*?", "+?", "{2}", "{1,3}", "{0,2}?"};
  if (depth == 0 || random.one_in(3)) return random.pick(kLeaves);
  switch (random.below(4)) {
    case 0: return random_pattern(random, depth - 1) + "|" + random_pattern(random, depth - 1);
    case 1: return "(?:" + random_pattern(random, depth - 1) + ")" + random.pick(kRepeats);
    case 2: return "(" + random_pattern(random, depth - 1) + ")";
    default: return random_pattern(random, depth - 1) + random_pattern(random, depth - 1);
  }
}

struct SlowLine {
  std::string text;
  std::uint64_t offset = 0, number = 0;
  bool operator==(const SlowLine&) const = default;
};

inline std::vector<SlowLine> lines_of(std::string_view text) {
  std::vector<SlowLine> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back({std::string(text.substr(begin, end - begin)), begin, lines.size() + 1});
    begin = end + 1;
  }
  return lines;
}

// Whether a pattern matches a line, CR or no CR.
inline bool slow_match(PikeVm& pike, std::string_view line) {
  ByteSpan span;
  return (line.ends_with('\r') && pike.find(line.substr(0, line.size() - 1), 0, span)) || pike.find(line, 0, span);
}

// A query of alternatives.
inline Result<std::shared_ptr<const GrepQuery>> ask(const std::vector<std::string>& patterns, const PatternOptions& options = {},
                                                    const Engines& engines = {}) {
  std::vector<PatternText> texts;
  std::vector<HitCondition> terms;
  for (const std::string& pattern : patterns) {
    terms.push_back(term_condition(static_cast<std::uint32_t>(terms.size())));
    texts.push_back({"", pattern, "-e", {}, {}});
  }
  return GrepQuery::compile(std::move(texts), options, join_conditions(HitCondition::Kind::kOr, std::move(terms)), std::nullopt, engines);
}

struct Gathered : Sink {
  std::vector<SlowLine> matches;
  std::string shape;  // "m" a match, "b" and "a" context, "-" a gap
  std::vector<std::uint64_t> numbers;
  bool match(const FoundLine& line) override {
    matches.push_back({std::string(line.text), line.offset, line.number});
    shape += 'm';
    numbers.push_back(line.number);
    return true;
  }
  void context(const FoundLine& line, bool before) override {
    shape += before ? 'b' : 'a';
    numbers.push_back(line.number);
  }
  void gap() override { shape += '-'; }
};

inline Gathered search(const std::shared_ptr<const GrepQuery>& query, std::string_view text, std::size_t block, const ScanOptions& options = {},
                       std::uint64_t from = 0, ScanResult* result = nullptr) {
  Matcher matcher(query);
  FileSearcher searcher(matcher, options);
  BlockReader reader({block, 1 << 20, options.before});
  MemorySource source(text);
  reader.start(source);
  Gathered gathered;
  const auto done = searcher.search(reader, gathered, [](std::uint64_t) { return true; }, from);
  if (result && done) *result = *done;
  return gathered;
}

}  // namespace ragline::grep_test
