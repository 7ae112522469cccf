// The filter language: parsing, messages, and the way back to text.
#include "index/filter.h"

#include <random>
#include <string>

#include "catch.h"
#include "core/text.h"
#include "index/filter_value.h"

using namespace ragline;

namespace {

using Kind = FilterNode::Kind;
using Op = FilterNode::Op;

std::string parsed(std::string_view text) {
  const auto node = parse_filter(text);
  return node ? filter_text(*node) : node.error().message;
}

// The message without its beginning, which is always the same.
std::string complaint(std::string_view text) {
  const auto node = parse_filter(text);
  if (node) return "accepted";
  CHECK(node.error().kind == ErrorKind::kUsage);
  CHECK(node.error().message.starts_with("--filter: at "));
  return node.error().message.substr(13);
}

FilterNode random_filter(std::mt19937& random, int depth) {
  static const std::string kWords[] = {
      "year",        "a.b",  "due date", "and",  "Exists", "",  "x\"y",
      "back\\slash", "it's", "!=",       "a!=b", "-1.5",   "é", "(x)"};
  FilterNode node;
  node.kind = static_cast<Kind>(random() % (depth > 0 ? 6 : 3) + (depth > 0 ? 0 : 3));
  auto word = [&] { return kWords[random() % std::size(kWords)]; };
  switch (node.kind) {
    case Kind::kAnd:
    case Kind::kOr:
      for (auto n = 2 + random() % 3; n > 0; --n)
        node.children.push_back(random_filter(random, depth - 1));
      break;
    case Kind::kNot:
      node.children.push_back(random_filter(random, depth - 1));
      break;
    case Kind::kCompare:
      node.op = static_cast<Op>(random() % 6);
      node.values.push_back(word());
      [[fallthrough]];
    case Kind::kExists:
      node.name = word();
      break;
    case Kind::kIn:
      node.name = word();
      for (auto n = 1 + random() % 3; n > 0; --n) node.values.push_back(word());
      break;
  }
  return node;
}

}  // namespace

TEST_CASE("every form of a filter") {
  CHECK(parsed("author = Ann") == "author = Ann");
  CHECK(parsed("author=\"Ann\"") == "author = Ann");
  CHECK(parsed("author == 'Ann Lee'") == "author = \"Ann Lee\"");
  CHECK(parsed("year>=2020") == "year >= 2020");
  CHECK(parsed("a != b") == "a != b");
  CHECK(parsed("status in (open, \"in review\")") == "status in (open, \"in review\")");
  CHECK(parsed("status NOT IN (closed)") == "not status in (closed)");
  CHECK(parsed("reviewed exists") == "reviewed exists");
  CHECK(parsed("2010 <= year < 2020") == "year >= 2010 and year < 2020");
  CHECK(parsed("9 > x >= 1.5") == "x < 9 and x >= 1.5");
  CHECK(parsed("\"due date\" < 2026-01-01") == "\"due date\" < 2026-01-01");
  CHECK(parsed("t = 2026-01-01T10:00:00+02:00") == "t = 2026-01-01T10:00:00+02:00");
  CHECK(parsed("quote = \"a \\\"b\\\" \\\\ c\"") == "quote = \"a \\\"b\\\" \\\\ c\"");
}

TEST_CASE("not binds tighter than and, and tighter than or") {
  CHECK(parsed("a=1 or b=2 and not c=3") == "a = 1 or (b = 2 and not c = 3)");
  CHECK(parsed("(a=1 or b=2) and c=3") == "(a = 1 or b = 2) and c = 3");
  CHECK(parsed("not (a=1 and b=2)") == "not (a = 1 and b = 2)");
  CHECK(parsed("a=1 AND b=2 And c=3") == "a = 1 and b = 2 and c = 3");
  CHECK(parsed("((a=1))") == "a = 1");
  CHECK(parsed("not not a exists") == "not not a exists");
}

TEST_CASE("mistakes are named with their place and the remedy") {
  CHECK(complaint("") == "1: the filter is empty: give one such as year >= 2020");
  CHECK(complaint("year >= ") == "9: expected a value after '>=', as in year >= 2020");
  CHECK(complaint("year >= and x = 1") ==
        "9: expected a value after '>=', as in year >= 2020: quote the word \"and\"");
  CHECK(complaint("= 3") == "1: expected a name, not '=': as in year >= 2020");
  CHECK(complaint("author Ann") ==
        "8: expected =, !=, <, <=, >, >=, in or exists after 'author', not 'Ann'");
  CHECK(complaint("author") ==
        "7: expected =, !=, <, <=, >, >=, in or exists after 'author', not the end");
  CHECK(complaint("title = in review") ==
        "9: expected a value after '=', as in year = 2020: quote the word \"in\"");
  CHECK(complaint("title = under review") ==
        "15: expected 'and', 'or' or the end, not 'review': quote a value that holds blanks");
  CHECK(complaint("a = \"b") == "5: this quote never closes: add \"");
  CHECK(complaint("a = 'b") == "5: this quote never closes: add '");
  CHECK(complaint("(a = 1") ==
        "7: expected 'and', 'or' or ')', not the end: the bracket opened at 1");
  CHECK(complaint("a = 1)") == "6: this bracket was never opened: remove it");
  CHECK(complaint("a in b") ==
        "6: expected '(' after 'in', not 'b': as in status in (open, \"in review\")");
  CHECK(complaint("a in ()") ==
        "7: expected a value in the list, not ')': as in status in (open, \"in review\")");
  CHECK(complaint("a in (b c)") ==
        "9: expected ',' or ')' in the list, not 'c': quote a value that holds blanks");
  CHECK(complaint("a in (b,") ==
        "9: expected a value in the list, not the end: as in status in (open, \"in review\")");
  CHECK(complaint("1 < x > 2") ==
        "7: a range has both signs in one direction: as in 2010 <= x < 2020");
  CHECK(complaint("effective_from > soon") ==
        "18: 'soon' is not a time: give RFC 3339 with its offset, like 2026-03-01T12:00:00Z, or a "
        "date like 2026-03-01");
  CHECK(complaint(std::string(70, '(') + "a=1").starts_with("66: nested deeper than 64 levels"));
  std::string nots;
  for (int i = 0; i < 100'000; ++i) nots += "not ";
  CHECK(complaint(nots + "a=1").ends_with("nested deeper than 64 levels: write it flatter"));
}

TEST_CASE("filters round-trip") {
  const std::uint32_t seed = 5;
  std::mt19937 random(seed);
  for (int i = 0; i < 5000; ++i) {
    const FilterNode node = random_filter(random, 3);
    INFO("seed " << seed << " round " << i << ": " << filter_text(node));
    const auto again = parse_filter(filter_text(node));
    REQUIRE(again.has_value());
    REQUIRE(*again == node);
  }
}

TEST_CASE("natural order") {
  const char* ascending[] = {"",  "1",  "1.0", "1.2", "1.9", "1.10",
                             "2", "10", "a1",  "a2",  "a10", "b"};
  // Equal numbers are told apart by bytes: "1.010" is 1.10 with "0" < "1".
  CHECK(natural_order("1.010", "1.10") < 0);
  for (std::size_t i = 0; i < std::size(ascending); ++i)
    for (std::size_t j = i; j < std::size(ascending); ++j) {
      INFO(ascending[i] << " " << ascending[j]);
      CHECK((natural_order(ascending[i], ascending[j]) < 0) == (i < j));
      CHECK((natural_order(ascending[j], ascending[i]) > 0) == (i < j));
    }
  CHECK(natural_order("99999999999999999999999998", "99999999999999999999999999") < 0);
}

TEST_CASE("values compare as what they are") {
  auto test = [](std::string_view value, Op op, std::string_view literal,
                 FilterTest::Order order = FilterTest::Order::kMetadata) {
    return FilterTest(op, literal, order)(value);
  };
  CHECK(test("2020.0", Op::kEqual, "2020"));
  CHECK(test("1e3", Op::kGreater, "999"));
  CHECK(test("9", Op::kLess, "10"));
  CHECK(!test("unknown", Op::kGreater, "10"));
  CHECK(!test("unknown", Op::kLess, "10"));
  CHECK(!test("9007199254740993", Op::kEqual, "9007199254740992"));
  CHECK(test("2026-01-01", Op::kEqual, "2026-01-01T00:00:00Z"));
  CHECK(test("2026-01-01T01:00:00+02:00", Op::kLess, "2026-01-01"));
  CHECK(!test("someday", Op::kLess, "2026-01-01"));
  CHECK(test("beta", Op::kGreater, "alpha"));
  CHECK(test("1.10", Op::kGreater, "1.9", FilterTest::Order::kNatural));
  CHECK(!test("1.0", Op::kEqual, "1", FilterTest::Order::kNatural));
  CHECK(!test("2020.0", Op::kEqual, "2020", FilterTest::Order::kBytes));
  CHECK(test("de-AT", Op::kEqual, "de", FilterTest::Order::kLanguage));
  CHECK(test("X-Klingon", Op::kEqual, "x-klingon", FilterTest::Order::kLanguage));
}
