#include "eval/citation_marks.h"

#include "catch.h"
#include "core/text.h"

using namespace ragline;

namespace {

// "1,2,a.md#0-1@..." of all marks.
std::string marks(std::string_view answer) {
  std::string out;
  for (const CitationMark& mark : citation_marks(answer))
    append(out, out.empty() ? "" : ",", mark.number ? cat(*mark.number) : std::string(mark.id));
  return out;
}

}  // namespace

TEST_CASE("numbers in brackets") {
  CHECK(marks("It rose [1]. It fell[2][3], then [4, 5] and [6-8].") == "1,2,3,4,5,6,7,8");
  CHECK(marks("增长了【3】。下降[^12]") == "3,12");
  CHECK(marks("[1; 2] [ 7 ] [9\xE2\x80\x93"
              "10]") == "1,2,7,9,10");
}

TEST_CASE("evidence ids in brackets, parentheses and bare") {
  CHECK(marks("Refunds [a.md#0-120@9f2c51aa03de].") == "a.md#0-120@9f2c51aa03de");
  CHECK(marks("see (src/x.cc#3-9@0123456789ab), ok") == "src/x.cc#3-9@0123456789ab");
  CHECK(marks("by docs/a#b.md#3-9@0123456789ab.") == "docs/a#b.md#3-9@0123456789ab");
  CHECK(marks("[a, b.md#3-9@0123456789ab]") == "a, b.md#3-9@0123456789ab");
  CHECK(marks("[1, a.md#3-9@0123456789ab]") == "1,a.md#3-9@0123456789ab");
}

TEST_CASE("what is no citation") {
  for (const char* text : {"[a]", "[1](http://x)", "[]", "array[i]", "[1", "[2-1]", "[1-999999]",
                           "a#1", "x.md#1-2@xyz", "#5-7@0123456789ab", "[sic]", "[1 2]", "(1)"}) {
    INFO(text);
    CHECK(marks(text).empty());
  }
}

TEST_CASE("ranges hold the brackets, and text without marks keeps the rest") {
  const auto found = citation_marks("up [1, 2].");
  REQUIRE(found.size() == 2);
  CHECK(found[1].begin == 3);
  CHECK(found[1].end == 9);
  CHECK(without_marks("up [1, 2], by 5 [3].") == "up, by 5.");
  CHECK(without_marks("5[1]6 [2] x") == "5 6 x");
  CHECK(without_marks("none") == "none");
}
