#include "grep/bytes.h"

#include <algorithm>

#include "catch.h"
#include "grep/unicode.h"
#include "twin.h"

using namespace ragline;
using namespace ragline::grep_test;

TEST_CASE("a literal is found where std::search finds it") {
  const unsigned seed = 3;
  Random random(seed);
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  for (int round = 0; round < 4000; ++round) {
    std::string text(random.below(300), '\0'), needle(1 + random.below(random.one_in(4) ? 40 : 4), '\0');
    for (char& c : text) c = "abAB@`["[random.below(7)];
    for (char& c : needle) c = "ab@`["[random.below(5)];
    if (random.one_in(2) && text.size() > needle.size()) text.replace(random.below(text.size() - needle.size()), needle.size(), needle);
    const bool fold = random.one_in(2);
    const std::size_t from = random.below(text.size() + 2);
    const LiteralSearch search(needle, fold);
    std::size_t expected = std::string::npos;
    if (from <= text.size()) {
      const auto at = std::search(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), needle.begin(), needle.end(),
                                  [&](char a, char b) { return fold ? lower(a) == b : a == b; });
      if (at != text.end()) expected = static_cast<std::size_t>(at - text.begin());
    }
    INFO("seed " << seed << ", round " << round << ", '" << needle << "' in '" << text << "' from " << from << ", fold " << fold);
    REQUIRE(search.find(text, from) == expected);
  }
}

TEST_CASE("newlines are counted as std::count counts them") {
  Random random(5);
  for (std::size_t size : {0, 1, 31, 32, 127, 128, 129, 10000, 40000}) {
    std::string text(size, 'x');
    for (char& c : text)
      if (random.one_in(3)) c = '\n';
    CHECK(count_newlines(text) == static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')));
    CHECK(count_newlines(std::string(size, '\n')) == size);
  }
}

TEST_CASE("characters beside a place, ill-formed ones too") {
  CHECK(word_begins_at("\xC3\xA9", 0));
  CHECK(word_ends_at("\xC3\xA9", 2));
  CHECK_FALSE(word_ends_at("\xA9", 1));
  CHECK_FALSE(word_begins_at("\xC3", 0));
  CHECK_FALSE(word_begins_at("", 0));
  CHECK(code_point_before("a\xE2\x84\xAA", 4) == 0x212A);
  CHECK(code_point_before("\xE2\x84\xAA\xAA", 4) == kIllFormed);
}
