#include "grep/class_sequence.h"

#include "catch.h"
#include "rounds.h"
#include "twin.h"

using namespace ragline;
using namespace ragline::grep_test;

namespace {

std::string random_sequence(Random& random) {
  static const char* const kSets[] = {"a", "b", "\\w", "\\s", "\\d", "[ab]", "[^a]", ".", "_", "(?i:k)", "[a-z\xC3\xA9]", "\xC3\xA9"};
  static const char* const kRepeats[] = {"", "", "*", "+", "?", "{2}", "{5}", "{1,3}", "{2,}"};
  std::string pattern;
  for (std::size_t n = 1 + random.below(5); n > 0; --n) pattern += random.pick(kSets) + random.pick(kRepeats);
  return pattern;
}

// What marks say of each line.
std::vector<bool> lines_marked(const ClassSequence& sequence, std::string_view text) {
  std::vector<std::uint64_t> ends;
  sequence.mark(text, ends);
  REQUIRE(ends.size() == (text.size() + 63) / 64);
  std::vector<bool> marked;
  for (const SlowLine& line : lines_of(text)) {
    bool any = false;
    for (std::size_t i = line.offset; i < line.offset + line.text.size(); ++i) any = any || (ends[i / 64] >> i % 64 & 1) != 0;
    marked.push_back(any);
  }
  return marked;
}

}  // namespace

TEST_CASE("a class sequence marks the lines that hold a match, over words and pieces of text") {
  const unsigned seed = 4711;
  Random random(seed);
  std::size_t taken = 0;
  for (std::size_t round = 0; round < testing::rounds(1500, 30); ++round) {
    const std::string pattern = random_sequence(random);
    const auto regex = parse_regex(pattern, {});
    REQUIRE(regex);
    const auto sequence = ClassSequence::of(*regex);
    if (!sequence) continue;
    ++taken;
    // The pieces of a text are 4,096 bytes long.
    const bool ascii = !sequence->covers_all() || random.one_in(2);
    std::string text = random_text(random, random.one_in(10) ? 6000 : 100, ascii);
    if (random.one_in(3)) std::erase(text, '\n');
    INFO("seed " << seed << ", round " << round << ", pattern '" << pattern << "', " << text.size() << " bytes");
    PikeVm twin(*regex);
    std::vector<bool> expected;
    for (const SlowLine& line : lines_of(text)) {
      ByteSpan span;
      expected.push_back(twin.find(line.text, 0, span));
    }
    REQUIRE(lines_marked(*sequence, text) == expected);
  }
  CHECK(taken > testing::rounds(1500, 30) / 2);
}

TEST_CASE("what is no class sequence is said to be none") {
  for (const char* pattern : {"a|b", "(?:ab)+", "^a", "a$", "\\ba", "\\p{Greek}a", "a*", "\\w{100}", "(?:a|b)c"}) {
    const auto regex = parse_regex(pattern, {});
    REQUIRE(regex);
    INFO(pattern);
    CHECK_FALSE(ClassSequence::of(*regex));
  }
}
