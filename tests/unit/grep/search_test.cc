#include <algorithm>

#include "catch.h"
#include "rounds.h"
#include "twin.h"

using namespace ragline;
using namespace ragline::grep_test;

namespace {

constexpr std::size_t kBlocks[] = {64, 65, 100, 1000, 128 << 10};

std::vector<SlowLine> slow_search(const GrepQuery& query, std::string_view text, bool invert) {
  std::vector<Regex> regexes;
  std::vector<PikeVm> machines;
  regexes.reserve(query.terms().size());
  for (const auto& term : query.terms()) {
    regexes.push_back(query.word() ? whole_words(term.regex) : term.regex);
    machines.emplace_back(regexes.back());
  }
  std::vector<SlowLine> found;
  for (SlowLine& line : lines_of(text)) {
    const bool hit = std::ranges::any_of(machines, [&](PikeVm& machine) { return slow_match(machine, line.text); });
    if (hit != invert) found.push_back(std::move(line));
  }
  return found;
}

}  // namespace

TEST_CASE("every route finds the lines that the slow twin finds, whatever the blocks") {
  const unsigned seed = 20261201;
  Random random(seed);
  for (std::size_t round = 0; round < testing::rounds(400, 40); ++round) {
    std::vector<std::string> patterns;
    for (std::size_t n = 1 + (random.one_in(3) ? random.below(4) : 0); n > 0; --n) patterns.push_back(random_pattern(random));
    PatternOptions options{.fixed = random.one_in(6), .ignore_case = random.one_in(3), .smart_case = random.one_in(5), .word = random.one_in(4),
                           .whole_line = random.one_in(8)};
    const std::string text = random_text(random, 60, random.one_in(2));
    ScanOptions scan;
    scan.invert = random.one_in(5);
    INFO("seed " << seed << ", round " << round << ", pattern '" << patterns[0] << "' of " << patterns.size() << ", text '" << text << "'");
    std::vector<SlowLine> expected;
    for (const Engines engines : kRoutes) {
      const auto query = ask(patterns, options, engines);
      REQUIRE(query);
      if (engines.literal) expected = slow_search(**query, text, scan.invert);
      const std::size_t block = kBlocks[random.below(std::size(kBlocks))];
      INFO("route '" << (*query)->route(0) << "', blocks of " << block);
      CHECK(search(*query, text, block, scan).matches == expected);
    }
  }
}

TEST_CASE("context, numbers and gaps are those of a search over a list of lines") {
  const unsigned seed = 7;
  Random random(seed);
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_text(random, 120, true);
    const auto query = ask({"foo"});
    REQUIRE(query);
    ScanOptions scan;
    scan.before = random.below(4);
    scan.after = random.below(4);
    if (random.one_in(3)) scan.most = random.below(4);
    INFO("seed " << seed << ", round " << round << ", -B " << scan.before << " -A " << scan.after << " -m " << scan.most << ", text '" << text << "'");

    const auto lines = lines_of(text);
    std::string shape(lines.size(), ' ');
    std::uint64_t left = scan.most;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].text.find("foo") == std::string::npos) continue;
      if (left == 0) {  // in the context of the last one it is shown as what it is
        if (shape[i] == 'a') shape[i] = 'm';
        continue;
      }
      --left;
      shape[i] = 'm';
      for (std::size_t before = 1; before <= scan.before && before <= i; ++before)
        if (shape[i - before] == ' ') shape[i - before] = 'b';
      for (std::size_t after = 1; after <= scan.after && i + after < lines.size(); ++after) shape[i + after] = 'a';
    }
    // A line that is both behind a match and before one comes as behind.
    Gathered expected;
    bool gap = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (shape[i] == ' ') {
        gap = true;
        continue;
      }
      if (gap && !expected.numbers.empty() && scan.before + scan.after > 0) expected.shape += '-';
      gap = false;
      expected.shape += shape[i];
      expected.numbers.push_back(i + 1);
    }
    const Gathered found = search(*query, text, kBlocks[random.below(std::size(kBlocks))], scan);
    CHECK(found.shape == expected.shape);
    CHECK(found.numbers == expected.numbers);
  }
}

TEST_CASE("a search from any offset finds the rest, with the numbers of the whole file") {
  const unsigned seed = 11;
  Random random(seed);
  const auto query = ask({"a|foo"});
  REQUIRE(query);
  for (int round = 0; round < 150; ++round) {
    const std::string text = random_text(random, 80, false);
    const auto all = search(*query, text, 128 << 10).matches;
    const std::uint64_t from = random.below(text.size() + 2);
    INFO("seed " << seed << ", round " << round << ", from " << from << ", text '" << text << "'");
    std::vector<SlowLine> expected;
    for (const SlowLine& line : all)
      if (line.offset >= from) expected.push_back(line);
    CHECK(search(*query, text, kBlocks[random.below(std::size(kBlocks))], {}, from).matches == expected);
  }
}

TEST_CASE("a line longer than the bound is searched in pieces and said to be") {
  const auto query = ask({"needle"});
  REQUIRE(query);
  const std::string text = std::string(5000, 'x') + "needle" + std::string(5000, 'x') + "\nneedle\n";
  Matcher matcher(*query);
  FileSearcher searcher(matcher, {});
  BlockReader reader({64, 1000, 0});
  MemorySource source(text);
  reader.start(source);
  Gathered gathered;
  const auto result = searcher.search(reader, gathered, [](std::uint64_t) { return true; });
  REQUIRE(result);
  CHECK(reader.long_lines() == 1);
  REQUIRE(gathered.matches.size() == 2);
  CHECK(gathered.matches[0].number == 1);
  CHECK(gathered.matches[0].text.size() <= 2000);
  CHECK(gathered.matches[1].number == 2);
  CHECK(gathered.matches[1].text == "needle");
}

TEST_CASE("code_puppy_904_exactly_n_matches_are_not_cut") {
  const auto query = ask({"a"});
  REQUIRE(query);
  ScanOptions scan;
  scan.look_past = true;
  scan.most = 2;
  ScanResult result;
  search(*query, "a\nb\na\nb\n", 64, scan, 0, &result);
  CHECK_FALSE(result.capped);
  search(*query, "a\nb\na\na\n", 64, scan, 0, &result);
  CHECK(result.capped);
  CHECK(result.lines == 2);
}

TEST_CASE("ripgrep_1568_dollar_matches_before_cr_lf") {
  for (const Engines engines : kRoutes) {
    const auto query = ask({"foo$"}, {}, engines);
    REQUIRE(query);
    CHECK(search(*query, "foo\r\nfoo \r\nfoo\nfoo", 64).matches.size() == 3);
    const auto empty = ask({"^$"}, {}, engines);
    REQUIRE(empty);
    CHECK(search(*empty, "\r\nx\r\n\n", 64).matches.size() == 2);
    const auto carriage = ask({"\\r"}, {}, engines);
    REQUIRE(carriage);
    CHECK(search(*carriage, "foo\r\nfoo\n", 64).matches.size() == 1);
  }
}

TEST_CASE("ugrep_181_one_latin1_byte_does_not_hide_a_line") {
  for (const Engines engines : kRoutes) {
    const auto query = ask({"b[a-z]r"}, {}, engines);
    REQUIRE(query);
    CHECK(search(*query, "f\xE9 bar\n", 64).matches.size() == 1);
  }
}

TEST_CASE("conditions hold on lines") {
  std::vector<PatternText> patterns;
  const auto condition = parse_condition("(\"a b\" or c) and not d", "--where", patterns);
  REQUIRE(condition);
  REQUIRE(patterns.size() == 3);
  CHECK(patterns[0].text == "a b");
  const auto query = GrepQuery::compile(patterns, {}, *condition, std::nullopt);
  REQUIRE(query);
  const auto found = search(*query, "a b\na bd\nc\nx\ncd\n", 64);
  CHECK(found.numbers == std::vector<std::uint64_t>{1, 3});
  CHECK((*query)->shown() == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("a wrong condition is refused with its place") {
  const std::pair<const char*, const char*> kWrong[] = {
      {"", "at 1: expected a pattern"}, {"a and", "at 6: expected a pattern"}, {"(a", "at 3: expected ')'"},
      {"a)", "at 2: expected 'and', 'or' or the end"}, {"\"a", "at 1: a quote that is not closed"}, {"not", "at 4: expected a pattern"}};
  for (const auto& [text, message] : kWrong) {
    std::vector<PatternText> patterns;
    const auto condition = parse_condition(text, "--where", patterns);
    INFO(text);
    REQUIRE_FALSE(condition);
    CHECK(condition.error().kind == ErrorKind::kUsage);
    CHECK(condition.error().message.find(message) != std::string::npos);
  }
  std::vector<PatternText> patterns;
  CHECK_FALSE(parse_condition(std::string(100, '(') + "a" + std::string(100, ')'), "--where", patterns));
}

TEST_CASE("near widens the other conjuncts to lines around") {
  std::vector<HitCondition> conjuncts{term_condition(0), term_condition(1)};
  PatternOptions options;
  options.near = true;
  const auto query = GrepQuery::compile({{"", "a", "-e", {}, {}}, {"", "b", "--and", {}, {}}}, options,
                                        join_conditions(HitCondition::Kind::kAnd, conjuncts), std::nullopt);
  REQUIRE(query);
  const std::string text = "a\nx\nb\nx\nx\nx\na\nb\n";
  Matcher matcher(*query);
  ScanOptions scan;
  scan.near = 2;
  FileSearcher searcher(matcher, scan);
  BlockReader reader({64, 1 << 20, 0});
  MemorySource first(text), second(text);
  reader.start(first);
  REQUIRE(searcher.note_near(reader, [](std::uint64_t) { return true; }));
  reader.start(second);
  Gathered gathered;
  REQUIRE(searcher.search(reader, gathered, [](std::uint64_t) { return true; }));
  CHECK(gathered.numbers == std::vector<std::uint64_t>{1, 7});
}
