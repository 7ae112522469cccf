#include <random>
#include <string>
#include <vector>

#include "analysis/analyzer.h"
#include "catch.h"
#include "unit/analysis/slow_words.h"
#include "unit/analysis/terms.h"

using namespace ragline;
using testing::raw_words;
using Words = std::vector<std::string>;

TEST_CASE("words are joined by single joiners") {
  CHECK(raw_words("update_order_status(a.b.c, 1.0.21)") == Words{"update_order_status", "a.b.c", "1.0.21"});
  CHECK(raw_words("mail joe-smith@x.example now.") == Words{"mail", "joe-smith@x.example", "now"});
  CHECK(raw_words("state-of-the-art -- don't, can\u2019t") == Words{"state-of-the-art", "don't", "can\u2019t"});
  CHECK(raw_words("--flag ..x a..b a-.b") == Words{"flag", "x", "a", "b", "a", "b"});
  CHECK(raw_words("__init__ _emph_ ____ a.__ a.__b") == Words{"__init__", "_emph_", "a", "a.__b"});
}

TEST_CASE("a comma joins digits only") {
  CHECK(raw_words("1,000 a,b 1,b a1,2 1,,2") == Words{"1,000", "a", "b", "1", "b", "a1,2", "1", "2"});
}

TEST_CASE("slashes, colons and other signs separate") {
  CHECK(raw_words("std::vector src/order.cc a=b x:y 1;2") ==
        Words{"std", "vector", "src", "order.cc", "a", "b", "x", "y", "1", "2"});
}

TEST_CASE("one letter takes its plus signs or its sharp") {
  CHECK(raw_words("C++ and C#, c++17 x+y abc++ C+") ==
        Words{"C++", "and", "C#", "c++", "17", "x", "y", "abc", "C"});
}

TEST_CASE("Han, kana and Hangul make runs of their own") {
  CHECK(raw_words("東京タワーabc日本") == Words{"東京タワー", "abc", "日本"});
  CHECK(raw_words("한국어 처리") == Words{"한국어", "처리"});
  CHECK(raw_words("ア・イ。ウ") == Words{"ア", "イ", "ウ"});
}

TEST_CASE("other scripts follow Unicode") {
  CHECK(raw_words("Größe “naïve” – cafe\u0301") == Words{"Größe", "naïve", "cafe\u0301"});
  CHECK(raw_words("Ёлка и Ελλάδα") == Words{"Ёлка", "и", "Ελλάδα"});
  CHECK(raw_words("ภาษาไทยง่าย") == Words{"ภาษา", "ไทย", "ง่าย"});
  CHECK(raw_words("हिन्दी भाषा") == Words{"हिन्दी", "भाषा"});
  CHECK(raw_words("اللغة العربية") == Words{"اللغة", "العربية"});
  CHECK(raw_words("a🎉b 👩\u200D🔬") == Words{"a", "b"});
}

TEST_CASE("ill-formed bytes and NUL separate words") {
  CHECK(raw_words("ab\xff" "cd\xe3\x81" "ef") == Words{"ab", "cd", "ef"});
  CHECK(raw_words(std::string_view("ab\0cd", 5)) == Words{"ab", "cd"});
  CHECK(raw_words("").empty());
}

TEST_CASE("a word is cut at its greatest length, never inside a code point") {
  const std::string long_word(3000, 'x');
  const Words cut = raw_words(long_word);
  REQUIRE(cut.size() == 3);
  CHECK(cut[0].size() == kMaxRawWordBytes);
  std::string accents;
  for (int i = 0; i < 1000; ++i) accents += "aé";
  std::string together;
  for (const std::string& piece : raw_words(accents)) {
    CHECK(is_valid_utf8(piece));
    together += piece;
  }
  CHECK(together == accents);
}

namespace {

// What has rules of its own somewhere in UAX 29 or in ours.
const std::vector<std::string_view> kBits = {
    "a", "B", "word", "Order", "7", "12", "_", "__", ".", "-", "@", "'", ",", ";", ":", "\"", " ", "  ", "\n", "\r\n",
    "/", "+", "++", "#", "c", "é", "ß", "ü", "e\u0301", "\u0301", "\u00AD", "\u200B", "\u200D", "\uFEFF", "\u2019",
    "\u2018", "\u2010", "\u2011", "\u2013", "“", "日", "本", "カ", "か", "゛", "\u3099", "ー", "・", "한", "국",
    "\u1112\u1161", "ไทย", "ภาษา", "ະ", "ລາວ", "ខ្មែរ", "שלום", "״", "\u05B8", "عربي", "ـ", "\u064E", "हिन्दी", "\u094D",
    "\u093F", "рус", "Й", "й", "Ελ", "ά", "１", "，", "．", "Ａ", "＿", "①", "²", "½", "Ⅷ", "©", "ℹ", "🎉", "🇩",
    "👩\u200D🔬", "\xff", "\xe3\x81", "\xc3", "\uFFFD", "·", "\u2024", "\u203F", "\u202F", "‧", "ⓐ", "々", "〇", "〡",
    "㍿", "ｶ", "ﾞ", "葛\U000E0100", "𠮷", "٣", "٫", "٬", "،", "\u037E", "։", "\uFE0F", "\uFE13", "\u0600", "\u061C",
    "ª", "1,000", "a.b", "x@y.z", "\t", "\u2028", "\u0E31", "⼴", "⺀", "ㄱ"};

std::string show(const std::vector<RawWord>& words, std::string_view text) {
  std::string out;
  for (const RawWord& word : words) out.append("<").append(text.substr(word.begin, word.end - word.begin)).append(">");
  return out;
}

std::string random_text(std::mt19937& random) {
  std::string text;
  const unsigned bits = 1 + random() % 10;
  for (unsigned i = 0; i < bits; ++i) {
    if (random() % 12) {
      text += kBits[random() % kBits.size()];
    } else {
      const char32_t c = random() % 0x31000;
      append_utf8(text, c >= 0xD800 && c < 0xE000 ? U'x' : c);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("the fast path is ICU and the joining rule") {
  const unsigned seed = 20261130u;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  Analyzer analyzer;
  std::vector<RawWord> words;
  for (int round = 0; round < 60000; ++round) {
    const std::string text = random_text(random);
    analyzer.split_words(text, words);
    const std::string fast = show(words, text), slow = show(slow::split_words(text), text);
    if (fast != slow) {
      INFO("text " << text);
      REQUIRE(fast == slow);
    }
  }
}

TEST_CASE("the fast path agrees on all pairs of ASCII around every sign") {
  Analyzer analyzer;
  std::vector<RawWord> words;
  std::string text = "a.1";
  for (int first = 0; first < 128; ++first) {
    for (int second = 0; second < 128; ++second) {
      text = {'a', static_cast<char>(first), static_cast<char>(second), '1', static_cast<char>(first), '2'};
      analyzer.split_words(text, words);
      const std::string fast = show(words, text), slow = show(slow::split_words(text), text);
      if (fast != slow) REQUIRE(fast == slow);
    }
  }
}

// ICU's dictionary knows the radicals as Han, so they may not count as separators.
TEST_CASE("radicals are Han") {
  CHECK(raw_words("cрус⼴゛\u200D\u203FＡ") == Words{"cрус", "⼴", "゛\u200D\u203FＡ"});
  CHECK(raw_words("⼴⽩ ⺀x") == Words{"⼴⽩", "⺀", "x"});
}

TEST_CASE("Lao words of two letters are whole") { CHECK(raw_words("ລຄ") == Words{"ລຄ"}); }
