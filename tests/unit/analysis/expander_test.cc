#include <random>
#include <string>

#include "analysis/analyzer.h"
#include "catch.h"
#include "core/utf8.h"
#include "unit/analysis/terms.h"

using namespace ragline;
using testing::has_phrase;
using testing::terms_of;
using testing::words_of;

TEST_CASE("English: Porter stems, stop words leave their position") {
  CHECK(words_of("The orders were cancelled by the customers") == "order@1 were@2 cancel@3 custom@6");
  CHECK(words_of("the company's don't O'Neill's") == "compani@1 dont@2 oneil@3");
  CHECK(words_of("to be or not to be").empty());
}

TEST_CASE("identifiers: the whole, its parts and its pieces") {
  CHECK(words_of("updateOrderStatus") == "updateorderstatu@0");
  CHECK(terms_of("updateOrderStatus", TermRole::kPart) == "updat@0 order@1 statu@2");
  CHECK(terms_of("XMLHttpRequest", TermRole::kPart) == "xml@0 http@1 request@2");
  CHECK(terms_of("sha256 utf8 x86_64", TermRole::kPart) == "sha@0 256@1 utf@2 8@3 x@4 86@5");
  CHECK(terms_of("URLs DNA", TermRole::kPart).empty());
  CHECK(words_of("update_order_status") == "updat@0 order@1 statu@2");
  CHECK(terms_of("update_order_status", TermRole::kWhole) == "update_order_status@0 updateorderstatu@0");
  CHECK(terms_of("__init__ _emphasis_", TermRole::kWhole) == "__init__@0");
  CHECK(terms_of("C++ C#", TermRole::kWhole) == "c++@0 c#@1");
  CHECK(words_of("C++ C#") == "c@0 c@1");
}

TEST_CASE("phrases match identifiers both ways") {
  CHECK(has_phrase("call updateOrderStatus twice", "order status"));
  CHECK(has_phrase("call update_order_status twice", "order status"));
  CHECK(has_phrase("the order status", "order-status"));
  CHECK(has_phrase("call updateOrderStatus twice", "updateOrderStatus twice") == true);
  CHECK_FALSE(has_phrase("call updateOrderStatus twice", "status order"));
}

TEST_CASE("qmd_563_dotted_names_are_found") {
  CHECK(words_of("a.b.c std.io") == "b@1 c@2 std@3 io@4");  // "a" is a stop word
  CHECK(terms_of("a.b.c std.io", TermRole::kWhole) == "a.b.c@0 std.io@3");
  CHECK(has_phrase("see package.module.name here", "module name"));
  CHECK(has_phrase("see package.module.name here", "module.name"));
}

TEST_CASE("qmd_757_versions_are_found") {
  CHECK(terms_of("release 1.0.21.", TermRole::kWhole) == "1.0.21@1");
  CHECK(has_phrase("ragline-1.0.21.tar.gz", "1.0.21"));
  CHECK_FALSE(has_phrase("release 1.0.2", "1.0.21"));
}

TEST_CASE("qmd_463_hyphenated_words_are_found_both_ways") {
  CHECK(terms_of("state-of-the-art", TermRole::kWhole) == "state-of-the-art@0 stateoftheart@0");
  CHECK(words_of("state-of-the-art") == "state@0 art@3");
  CHECK(terms_of("e-mail", TermRole::kWhole) == "e-mail@0 " + words_of("email"));
  CHECK(terms_of("2020-01-02", TermRole::kWhole) == "2020-01-02@0");
}

TEST_CASE("qmd_404_underscores_are_kept") {
  CHECK(terms_of("call foo_bar now", TermRole::kWhole) == "foo_bar@1 foobar@1");
  CHECK(has_phrase("call foo_bar now", "foo_bar"));
}

TEST_CASE("e-mail addresses are found whole and by part") {
  CHECK(terms_of("joe.smith@shop.example", TermRole::kWhole) == "joe.smith@shop.example@0");
  CHECK(words_of("joe.smith@shop.example") == "joe@0 smith@1 shop@2 exampl@3");
}

TEST_CASE("accents: the plain form, the digraph beside it, the exact one with its sign") {
  CHECK(words_of("Größe", Language::kGerman) == "gross@0");
  CHECK(terms_of("Größe", TermRole::kFolded, Language::kGerman) == "groess@0");
  CHECK(terms_of("Größe", TermRole::kExact, Language::kGerman) == "=größe@0");
  CHECK(has_phrase("Die Größe", "groesse", Language::kGerman));
  CHECK(has_phrase("Die Groesse", "Größe", Language::kGerman));
  CHECK(has_phrase("Die Größe", "grosse", Language::kGerman));
  CHECK(has_phrase("une œuvre", "oeuvre", Language::kFrench));
  CHECK(has_phrase("cafe\u0301", "café"));
  CHECK(has_phrase("Ålesund og Øre", "aalesund", Language::kNorwegian));
  CHECK(terms_of("Straße Strasse", TermRole::kExact, Language::kGerman) == "=straße@0");
  CHECK(terms_of("plain", TermRole::kExact).empty());
}

TEST_CASE("the apostrophe joins two words in French") {
  CHECK(words_of("l'élève", Language::kFrench) == "l@0 elev@1");
  CHECK(words_of("l\u2019élève", Language::kFrench) == "l@0 elev@1");
}

TEST_CASE("lancedb_2238_russian_is_stemmed") {
  CHECK(words_of("собаки", Language::kRussian) == words_of("собака", Language::kRussian));
  CHECK(words_of("Ёлка", Language::kRussian) == words_of("елка", Language::kRussian));
  CHECK(words_of("Йод", Language::kRussian) == "йод@0");
}

TEST_CASE("claude_mem_3810_two_chinese_characters_are_found") {
  CHECK(words_of("北京大学", Language::kChinese) == "北京@0 京大@1 大学@2");
  CHECK(terms_of("北京大学", TermRole::kTail, Language::kChinese) == "学@3");
  CHECK(words_of("水", Language::kChinese) == "水@0");
  CHECK(has_phrase("我在北京大学读书", "大学", Language::kChinese));
}

TEST_CASE("Japanese, Korean, Thai, Arabic and Hindi") {
  CHECK(words_of("ｶﾞｽ", Language::kJapanese) == "ガス@0");
  CHECK(words_of("葛\U000E0100城", Language::kJapanese) == "葛城@0");
  CHECK(words_of("한국어", Language::kKorean) == "한국@0 국어@1");
  CHECK(words_of("\u1112\u1161\u11AB\u1100\u116E\u11A8", Language::kKorean) == "한국@0");
  CHECK(words_of("ภาษาไทย", Language::kThai) == "ภาษา@0 ไทย@1");
  CHECK(words_of("كِتَاب", Language::kArabic) == words_of("كتاب", Language::kArabic));
  CHECK(words_of("हिन्दी", Language::kNone) == "हिन्दी@0");
}

TEST_CASE("invisible characters and full-width letters do not matter") {
  CHECK(words_of("co\u00ADoperate \uFEFFword", Language::kNone) == "cooperate@0 word@1");
  CHECK(words_of("ＡＢＣ１２", Language::kNone) == "abc12@0");
  CHECK(terms_of("ＡＢＣ", TermRole::kExact).empty());
}

TEST_CASE("length counts words, not their other forms") {
  Analyzer analyzer;
  Expansion expansion;
  auto length = [&](std::string_view word, Language language) {
    analyzer.expand(word, language, expansion);
    return expansion.length;
  };
  CHECK(length("updateOrderStatus", Language::kEnglish) == 1);
  CHECK(length("state-of-the-art", Language::kEnglish) == 2);
  CHECK(length("the", Language::kEnglish) == 0);
  CHECK(length("Größe", Language::kGerman) == 1);
  CHECK(length("北京大学", Language::kChinese) == 3);
}

TEST_CASE("any bytes expand to well-formed terms within bounds") {
  const unsigned seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  Analyzer analyzer;
  Expansion expansion;
  for (int round = 0; round < 20000; ++round) {
    std::string word;
    for (unsigned size = random() % 12; word.size() < size;) {
      if (random() % 3) append_utf8(word, random() % 0x3100 + 1);
      else word += static_cast<char>(random());
    }
    if (random() % 50 == 0) word.append(random() % 600, 'x');
    const auto language = static_cast<Language>(random() % static_cast<unsigned>(Language::kCount));
    analyzer.expand(word, language, expansion);
    std::uint32_t words = 0, position = 0;
    bool good = true;
    for (const Term& term : expansion.terms) {
      words += term.role == TermRole::kWord;
      good = good && !term.text.empty() && term.text.size() <= kMaxTermBytes && is_valid_utf8(term.text) &&
             term.position < expansion.positions && term.position >= position && term.begin < term.end &&
             term.end <= word.size();
      position = term.position;
    }
    if (!good || words != expansion.length) {
      INFO("word " << word << " language " << language_code(language));
      REQUIRE(good);
      REQUIRE(words == expansion.length);
    }
  }
}

TEST_CASE("fold_text folds case and accents of any bytes") {
  CHECK(fold_text("Ünïcode STRASSE Ł\xff") == "unicode strasse l\uFFFD");
  CHECK(fold_text("plain ASCII") == "plain ascii");
}

TEST_CASE("stop words are English only") {
  CHECK(is_stop_word("the", Language::kEnglish));
  CHECK_FALSE(is_stop_word("the", Language::kGerman));
  CHECK_FALSE(is_stop_word("order", Language::kEnglish));
}
