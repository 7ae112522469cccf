// Every route of a search against a slow line-by-line twin: the input's first bytes choose flags and block size, then come a pattern,
// a newline and the text.
#include <algorithm>
#include <vector>

#include "fuzz.h"
#include "grep/file_searcher.h"
#include "grep/pike.h"

namespace {

using namespace ragline;

struct Lines : Sink {
  std::vector<std::uint64_t> offsets;
  bool match(const FoundLine& line) override {
    offsets.push_back(line.offset);
    return true;
  }
  void context(const FoundLine&, bool) override {}
  void gap() override {}
};

std::vector<std::uint64_t> fast(const std::shared_ptr<const GrepQuery>& query, std::string_view text, std::size_t block, bool invert) {
  Matcher matcher(query);
  ScanOptions options;
  options.invert = invert;
  FileSearcher searcher(matcher, options);
  BlockReader reader({block, 1 << 20, 0});
  MemorySource source(text);
  reader.start(source);
  Lines lines;
  (void)searcher.search(reader, lines, [](std::uint64_t) { return true; });
  return lines.offsets;
}

std::vector<std::uint64_t> slow(const GrepQuery& query, std::string_view text, bool invert) {
  const Regex regex = query.word() ? whole_words(query.terms()[0].regex) : query.terms()[0].regex;
  PikeVm machine(regex);
  std::vector<std::uint64_t> offsets;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    ByteSpan span;
    const bool hit = (line.ends_with('\r') && machine.find(line.substr(0, line.size() - 1), 0, span)) || machine.find(line, 0, span);
    if (hit != invert) offsets.push_back(begin);
    begin = end + 1;
  }
  return offsets;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input = fuzz::text(data, size);
  // Longer patterns and texts cost time and find nothing that short ones do not.
  if (input.size() < 3 || input.size() > 2000) return 0;
  const auto flags = static_cast<unsigned char>(input[0]);
  const std::size_t block = 64 + static_cast<unsigned char>(input[1]);
  input.remove_prefix(2);
  const std::size_t newline = input.find('\n');
  if (newline == input.npos || newline > 60) return 0;
  const std::string pattern(input.substr(0, newline));
  const std::string_view text = input.substr(newline + 1);
  const PatternOptions options{.fixed = (flags & 1) != 0, .ignore_case = (flags & 2) != 0, .word = (flags & 4) != 0, .whole_line = (flags & 8) != 0};
  const bool invert = (flags & 16) != 0;
  std::vector<std::uint64_t> expected;
  bool first = true;
  for (const Engines engines : kRoutes) {
    const auto query = GrepQuery::compile({{"", pattern, "-e", {}, {}}}, options, term_condition(0), std::nullopt, engines);
    if (!query) return 0;
    // A repeat of a repeat makes programs that the slow engine takes seconds for.
    if ((*query)->terms()[0].regex.size() > 2000) return 0;
    if (first) expected = slow(**query, text, invert);
    first = false;
    fuzz::require(fast(*query, text, block, invert) == expected);
  }
  return 0;
}
