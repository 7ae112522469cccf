#include "grep/line_matcher.h"

#include <algorithm>

#include "catch.h"
#include "rounds.h"
#include "twin.h"

using namespace ragline;
using namespace ragline::grep_test;

namespace {

Regex parse(const std::string& pattern, bool fold = false) {
  SyntaxOptions options;
  options.fold = fold;
  auto regex = parse_regex(pattern, options);
  REQUIRE(regex);
  return std::move(*regex);
}

std::vector<std::string> parts(const std::string& pattern, const std::string& line, bool word = false, bool fold = false) {
  const Regex regex = parse(pattern, fold);
  LineMatcher matcher(regex, word);
  std::vector<ByteSpan> spans;
  matcher.spans(line, spans);
  std::vector<std::string> found;
  for (const ByteSpan& span : spans) found.push_back(line.substr(span.begin, span.end - span.begin));
  return found;
}

using Strings = std::vector<std::string>;

// (x*)* and the like: engines differ in what an empty round of a loop is worth, which changes where a match ends, not whether there is one.
bool has_empty_loop(const Regex& regex) {
  if (regex.kind == Regex::Kind::kRepeat && regex.children[0].can_match_empty()) return true;
  return std::ranges::any_of(regex.children, has_empty_loop);
}

}  // namespace

TEST_CASE("ripgrep_389_word_matches_that_begin_or_end_with_other_characters") {
  CHECK(parts("-foo", "x -foo y", true) == Strings{"-foo"});
  CHECK(parts("foo-", "foo-", true) == Strings{"foo-"});
  CHECK(parts("\\$\\w+", "a $b c", true) == Strings{"$b"});
  CHECK(parts("foo", "foofoo foo", true) == Strings{"foo"});
  CHECK(parts("-", "--", true) == Strings{"-", "-"});
  CHECK(parts("foo|foobar", "foobar", true) == Strings{"foobar"});
  CHECK(parts("[a-z]+-?", "ab-cd", true) == Strings{"ab", "cd"});
}

TEST_CASE("hyperscan_328_word_limits_follow_unicode") {
  CHECK(parts("\\bfoo\\b", "\xC3\xA9" "foo").empty());
  CHECK(parts("foo", "foo\xC3\xA9", true).empty());
  CHECK(parts("\xC3\xA9t\xC3\xA9", "un \xC3\xA9t\xC3\xA9 chaud", true) == Strings{"\xC3\xA9t\xC3\xA9"});
  CHECK(parts("foo", "\xFF" "foo\xFF", true).empty());  // as ripgrep: of an ill-formed byte nobody knows what it is
}

TEST_CASE("case folds by Unicode") {
  CHECK(parts("kernel", "\xE2\x84\xAA" "ernel KERNEL", false, true).size() == 2);
  CHECK(parts("stra\xC3\x9F" "e", "STRA\xE1\xBA\x9E" "E", false, true).size() == 1);
  CHECK(parts("\xC3\xA9", "\xC3\x89", false, true).size() == 1);
  CHECK(parts("[a-j]", "\xE2\x84\xAA", false, true).empty());
  CHECK(parts("[a-k]", "\xE2\x84\xAA", false, true).size() == 1);
}

TEST_CASE("classes are those of ripgrep") {
  CHECK(parts("a\\sb", "a\vb").size() == 1);
  CHECK(parts("a\\Sb", "a\vb").empty());
  CHECK(parts("\\w+", "h\xC3\xA9" "llo_1 x") == Strings{"h\xC3\xA9" "llo_1", "x"});
  CHECK(parts("[^\\W_]+", "a_b") == Strings{"a", "b"});
  CHECK(parts("\\d", "\xD9\xA3").size() == 1);
  CHECK(parts(".", "\xFF").empty());
}

TEST_CASE("empty matches stand alone") {
  CHECK(parts("a*", "baac") == Strings{"", "aa", ""});
  CHECK(parts("", "\xC3\xA9") == Strings{"", ""});
  CHECK(parts("$", "x\r") == Strings{""});
}

TEST_CASE("RE2 and PikeVm agree on random lines") {
  const unsigned seed = 99;
  Random random(seed);
  int compared = 0;
  for (std::size_t round = 0; round < testing::rounds(3000, 40); ++round) {
    const std::string pattern = random_pattern(random);
    const bool word = random.one_in(4);
    std::string line = random_text(random, 12, random.one_in(2));
    std::erase(line, '\n');
    INFO("seed " << seed << ", round " << round << ", pattern '" << pattern << "', word " << word << ", line '" << line << "'");
    const Regex regex = parse(pattern, random.one_in(3));
    LineMatcher matcher(regex, word);
    PikeVm pike(word ? whole_words(regex) : regex);
    const std::size_t from = random.below(line.size() + 1);
    ByteSpan ours{}, twin{};
    const bool found = matcher.find(line, from, ours);
    REQUIRE(found == pike.find(line, from, twin));
    if (found) REQUIRE(ours.begin == twin.begin);
    if (found && !has_empty_loop(regex)) REQUIRE(ours.end == twin.end);
    compared += found;
  }
  CHECK(compared > static_cast<int>(testing::rounds(3000, 40)) / 6);
}

TEST_CASE("captures fill replacements") {
  const Regex regex = parse("(?P<first>\\w+) (\\w+)");
  LineMatcher matcher(regex, false);
  std::vector<ByteSpan> groups;
  REQUIRE(matcher.captures("one two", {0, 7}, groups));
  REQUIRE(groups.size() == 3);
  CHECK(groups[2].begin == 4);
  CHECK(matcher.capture_named("first") == 1);
  CHECK(matcher.capture_named("none") == 0);
}
