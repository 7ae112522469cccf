#include "grep/regex.h"

#include "catch.h"

using namespace ragline;

namespace {

std::string refusal(const std::string& pattern, bool multiline = false) {
  SyntaxOptions options;
  options.multiline = multiline;
  const auto regex = parse_regex(pattern, options);
  REQUIRE_FALSE(regex);
  CHECK(regex.error().kind == ErrorKind::kUsage);
  return regex.error().message;
}

Regex parse(const std::string& pattern, bool fold = false) {
  SyntaxOptions options;
  options.fold = fold;
  auto regex = parse_regex(pattern, options);
  REQUIRE(regex);
  return std::move(*regex);
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a wrong pattern is refused with place, reason and advice") {
  CHECK(holds(refusal("foo("), "missing )"));
  CHECK(holds(refusal("a[b"), "at 2"));
  CHECK(holds(refusal("a**"), "at 2"));
  CHECK(holds(refusal("foo(?=bar)"), "--and PATTERN"));
  CHECK(holds(refusal("(?<!x)foo"), "lookaround"));
  CHECK(holds(refusal("(a)\\1"), "backreferences are not part of RE2"));
  CHECK(holds(refusal("((a{100}){100}){100}"), "repetition size"));
  CHECK(holds(refusal("a\nb"), "-U"));
  CHECK(holds(refusal("a\\nb"), "at 2"));
  CHECK(holds(refusal("\\C"), "half characters"));
  CHECK(holds(refusal("caf\xE9"), "not UTF-8"));
  CHECK(holds(refusal("\\p{Klingon}"), "Klingon"));
}

TEST_CASE("literals are recognised") {
  CHECK(parse("abc").literal() == "abc");
  CHECK(parse("a(b)c").literal() == "abc");
  CHECK(parse("\\Qa.b\\E").literal() == "a.b");
  CHECK(parse("a.c").literal() == std::nullopt);
  CHECK(parse("aBc", true).literal() == std::nullopt);
  CHECK(parse("aBc-1", true).folded_literal() == "abc-1");
  CHECK(parse("a\xC3\xA9", true).folded_literal() == std::nullopt);
  CHECK(parse("ab").folded_literal() == std::nullopt);
}

TEST_CASE("flags hold to the end of their group") {
  CHECK(parse("(?i)ab").folded_literal() == "ab");
  CHECK(parse("(?:(?i)a)b").children[1].fold == false);
  CHECK(parse("a(?i:b)c").children[2].fold == false);
}

TEST_CASE("bytes for Hyperscan say how far they can be believed") {
  CHECK(byte_regex(parse("abc")).exact);
  CHECK(byte_regex(parse("\xC3\xA9", true)).exact);
  CHECK(byte_regex(parse("[a-z]+x")).exact);
  CHECK_FALSE(byte_regex(parse("\\w+x")).exact);
  CHECK(byte_regex(parse("\\w+x")).ascii_exact);
  CHECK_FALSE(byte_regex(parse("\\bx")).ascii_exact);
}

TEST_CASE("an empty match is seen from the tree") {
  CHECK(parse("a*").can_match_empty());
  CHECK(parse("^").can_match_empty());
  CHECK(parse("a|").can_match_empty());
  CHECK_FALSE(parse("a*b").can_match_empty());
}

TEST_CASE("two groups of one name are refused, with the place of the second") {
  const auto regex = parse_regex("(?P<x>a)(?P<x>b)", {});
  REQUIRE_FALSE(regex);
  CHECK(regex.error().message == "at 13: a second group named 'x': give it another name");
}
