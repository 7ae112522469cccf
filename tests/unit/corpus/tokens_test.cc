#include "corpus/tokens.h"

#include <string>

#include "catch.h"
#include "core/utf8.h"
#include "random_text.h"

using namespace ragline;

namespace {

// The definition, word by word, for text of ASCII, Latin letters and CJK.
std::uint64_t slow_weight(std::string_view text) {
  std::uint64_t total = 0, word = 0;
  auto end_word = [&] {
    if (word > 0) total += std::max<std::uint64_t>(word, 4);
    word = 0;
  };
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    const bool ascii_letter = c < 0x80 && (std::isalnum(static_cast<int>(c)) != 0);
    if (ascii_letter) {
      word += 1;
    } else if (c >= 0xC0 && c < 0x2000) {
      word += 2;
    } else {
      end_word();
      if (c > ' ' && c != 0x7F) total += 4;
    }
  }
  end_word();
  return total;
}

bool splits_character(std::string_view text, std::size_t at) {
  if (at == 0 || at >= text.size()) return false;
  if ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) return true;
  return text[at] == '\n' && text[at - 1] == '\r';
}

}  // namespace

TEST_CASE("tokens are estimated as stated") {
  CHECK(estimate_tokens("") == 0);
  CHECK(estimate_tokens(" \n\t ") == 0);
  CHECK(estimate_tokens("a") == 1);
  CHECK(estimate_tokens("word") == 1);
  CHECK(estimate_tokens("the order") == 3);  // 4 + 5 quarters
  CHECK(estimate_tokens("a.b") == 3);
  CHECK(estimate_tokens("internationalization") == 5);
  CHECK(estimate_tokens("漢字") == 2);
  CHECK(estimate_tokens("привет") == 3);
  CHECK(estimate_tokens("Größe") == 2);  // 3 + 2 * 2 quarters
}

TEST_CASE("the fast weight equals the definition on random text") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    test::RandomText random(seed);
    std::string text;
    for (std::size_t i = 0, n = random.below(300); i < n; ++i) {
      text += random.one_of({"a", "bc", "d", "efg", " ", "  ", ".", "()", "\n", "longerword",
                             "0123456789", "é", "字", "ж", "\x01",
                             "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                             "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"});
      if (random.below(4) == 0) text += ' ';
    }
    CHECK(weight(text) == std::max<std::uint64_t>(slow_weight(text), (text.size() + 7) / 8));
    CHECK(estimate_tokens(text) == (slow_weight(text) + 3) / 4);
  }
}

TEST_CASE("a cut honours its limit and splits no character") {
  for (unsigned seed = 0; seed < 500; ++seed) {
    INFO("seed " << seed);
    test::RandomText random(seed);
    const std::string text = seed % 2 ? random.plain() : random.code();
    const std::uint64_t limit = 4 * (1 + random.below(seed % 5 ? 40 : 600));
    const auto style = seed % 2 ? CutStyle::kProse : CutStyle::kLines;
    const std::size_t cut = best_cut(text, limit / (1 + random.below(3)), limit, style);
    if (text.empty()) {
      CHECK(cut == 0);
      continue;
    }
    REQUIRE(cut > 0);
    REQUIRE(cut <= text.size());
    CHECK_FALSE(splits_character(text, cut));
    if (weight(text) <= limit) CHECK(cut == text.size());
    // Only one grapheme may be too heavy: the longest here is a family of three.
    if (cut > std::string("👩‍👩‍👧").size())
      CHECK(weight(std::string_view(text).substr(0, cut)) <= limit);
  }
}

TEST_CASE("the better border wins") {
  auto cut = [](std::string text, std::uint64_t tokens, CutStyle style = CutStyle::kProse) {
    return text.substr(0, best_cut(text, 4 * tokens, 4 * tokens, style));
  };
  CHECK(cut("one two three. four five six seven", 6) == "one two three. ");
  CHECK(cut("one two three four five six seven", 6) == "one two three four five ");
  CHECK(cut("one two three\nfour five six seven eight nine", 5, CutStyle::kLines) ==
        "one two three\n");
  CHECK(cut("one two\n\nthree four\nfive six seven eight nine", 8) == "one two\n\nthree four\n");
  CHECK(cut("一二三。四五六七八九十", 6) == "一二三。");
  CHECK(cut("aaaaaaaaaaaaaaaaaaaaaaaaaaaa", 3) == "aaaaaaaaaaaa");
}

// qmd #777: a text service was sent half a character.
TEST_CASE("qmd_777_no_cut_inside_a_character") {
  std::string text;
  for (int i = 0; i < 200; ++i) text += i % 3 ? "🇩🇪" : "👩‍👩‍👧e\xCC\x81";
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t cut = best_cut(rest, 40, 40, CutStyle::kProse);
    CHECK(is_valid_utf8(rest.substr(0, cut)));
    rest.remove_prefix(cut);
    CHECK_FALSE(rest.starts_with("\xCC\x81"));
    CHECK_FALSE(rest.starts_with("\xE2\x80\x8D"));
  }
}

TEST_CASE("a grapheme without end is cut") {
  std::string text = "e";
  for (int i = 0; i < 10000; ++i) text += "\xCC\x81";
  const std::size_t cut = best_cut(text, 40, 40, CutStyle::kProse);
  CHECK(cut < 600);
  CHECK(is_valid_utf8(std::string_view(text).substr(0, cut)));
}

TEST_CASE("a tail begins a line, else a word") {
  const std::string text = "alpha beta\ngamma delta epsilon";
  CHECK(text.substr(tail_begin(text, 4 * 6)) == "gamma delta epsilon");
  CHECK(text.substr(tail_begin(text, 4 * 4)) == "delta epsilon");
  CHECK(tail_begin(text, 4) == text.size());
  CHECK(tail_begin("", 4) == 0);
}
