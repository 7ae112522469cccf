#include "search/snippet.h"

#include <random>
#include <set>
#include <string>

#include "catch.h"
#include "core/text.h"
#include "core/utf8.h"
#include "rounds.h"

using namespace ragline;

namespace {

std::unordered_set<std::string> terms_of(std::string_view query, Language language) {
  Analyzer analyzer;
  std::vector<RawWord> words;
  analyzer.split_words(query, words);
  Expansion expansion;
  std::unordered_set<std::string> terms;
  for (const RawWord& word : words) {
    analyzer.expand(query.substr(word.begin, word.end - word.begin), language, expansion);
    for (const Term& term : expansion.terms) terms.insert(term.text);
  }
  return terms;
}

// The text with what matched in [ ].
std::string marked(std::string_view text, std::string_view query,
                   Language language = Language::kEnglish) {
  Analyzer analyzer;
  std::string out(text);
  const auto matches = find_matches(text, language, terms_of(query, language), analyzer);
  for (auto match = matches.rbegin(); match != matches.rend(); ++match) {
    out.insert(match->end, "]");
    out.insert(match->begin, "[");
  }
  return out;
}

std::string shown(std::string_view text, std::string_view query, std::size_t width) {
  Analyzer analyzer;
  return make_snippet(
             text,
             find_matches(text, Language::kEnglish, terms_of(query, Language::kEnglish), analyzer),
             width)
      .text;
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) next_code_point(text, at);
  return count;
}

}  // namespace

TEST_CASE("matches are found as the search found them") {
  CHECK(marked("Refunds for unshipped ORDERS.", "refund order") ==
        "[Refunds] for unshipped [ORDERS].");
  CHECK(marked("call updateOrderStatus(x)", "status") == "call updateOrder[Status](x)");
  CHECK(marked("state-of-the-art", "art") == "state-of-the-[art]");
  CHECK(marked("version 1.0.21 here", "1.0.21") == "version [1.0.21] here");
  CHECK(marked("Die Größe, die Grösse, die GROESSE", "größe", Language::kGerman) ==
        "Die [Größe], die [Grösse], die [GROESSE]");
  CHECK(marked("我们在北京大学学习", "北京大学", Language::kChinese) == "我们在[北京大学]学习");
  CHECK(marked("nothing here", "zebra") == "nothing here");
  CHECK(marked("", "zebra").empty());
}

TEST_CASE("a snippet is the window with the most different words") {
  std::string text = "order order order. ";
  for (int i = 0; i < 30; ++i) text += "Some words that say nothing. ";
  text += "An unshipped order gets a refund at once. ";
  for (int i = 0; i < 30; ++i) text += "More words that say nothing. ";
  CHECK(shown(text, "refund unshipped order", 60) ==
        "...An unshipped order gets a refund at once. More words...");
  CHECK(shown(text, "zebra", 20) == "order order order....");
}

TEST_CASE("a snippet is one line") {
  CHECK(shown("  a\n\n\tb\r\nc\x1b[31m \x01 d  ", "zebra", 100) == "a b c [31m d");
  CHECK(shown("a\u2028b\u202ec", "zebra", 100) == "a b c");
  CHECK(shown("", "zebra", 10).empty());
  CHECK(shown(" \n ", "zebra", 10).empty());
  CHECK(shown("short order", "order", 80) == "short order");
}

TEST_CASE("snippets of random texts") {
  static const char* kPieces[] = {"order", "refund", "Größe", "北京大学", "x",    " ",      " ",
                                  " ",     "\n",     "\t",    ".",        "\xFF", "status", "élan"};
  const std::uint32_t seed = 20260201;
  std::mt19937 random(seed);
  Analyzer analyzer;
  const auto terms = terms_of("order refund größe 北京 élan", Language::kGerman);
  for (std::size_t i = 0; i < testing::rounds(3000, 4); ++i) {
    std::string text;
    for (auto n = random() % 120; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
    const std::size_t width = random() % 80;
    const auto matches = find_matches(text, Language::kGerman, terms, analyzer);
    const Snippet snippet = make_snippet(text, matches, width);
    INFO("seed " << seed << " round " << i << " width " << width << "\n" << text);
    REQUIRE(is_valid_utf8(snippet.text));
    REQUIRE(snippet.text.find_first_of("\n\t\r") == std::string::npos);

    std::set<std::string> words;
    std::size_t end = 0;
    for (const ByteSpan& match : snippet.matches) {
      REQUIRE((match.begin >= end && match.begin < match.end && match.end <= snippet.text.size()));
      end = match.end;
      words.insert(ascii_lower(snippet.text.substr(match.begin, match.end - match.begin)));
    }
    // No window shows more different words than the one chosen.
    std::size_t most = 0, longest = 0;
    for (std::size_t first = 0; first < matches.size(); ++first) {
      std::set<std::string> inside;
      longest = std::max<std::size_t>(longest, matches[first].end - matches[first].begin);
      for (std::size_t last = first; last < matches.size(); ++last) {
        // A run of white space counts as one character, so the width of the text as it stands is an
        // upper bound.
        const bool fits =
            characters(text.substr(matches[first].begin,
                                   matches[last].end - matches[first].begin)) <= width;
        if (last > first && !fits) break;
        inside.insert(
            ascii_lower(text.substr(matches[last].begin, matches[last].end - matches[last].begin)));
      }
      most = std::max(most, inside.size());
    }
    REQUIRE(words.size() >= most);
    REQUIRE(characters(snippet.text) <= std::max(width, longest) + 6);
  }
}
