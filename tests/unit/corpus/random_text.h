#pragma once
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>

// Random documents for property tests: pieces that mean something to a parser, in any order.
namespace ragline::test {

class RandomText {
 public:
  explicit RandomText(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  std::string_view one_of(std::initializer_list<std::string_view> choices) {
    return choices.begin()[below(choices.size())];
  }

  std::string words(std::size_t most) {
    std::string out;
    for (std::size_t i = 0, n = below(most + 1); i < n; ++i) {
      out += one_of({"refund", "order", "a", "Größe", "x1", "e\xCC\x81t\xC3\xA9",
                     "漢字かな交じり文", "👩‍👩‍👧", "🇩🇪🇫🇷", "don't", "foo.bar()",
                     "— so.", "Stop!", "12345678901234567890", "привет"});
      out += one_of({" ", " ", " ", "  ", "", "\t"});
    }
    return out;
  }
  std::string newline() { return std::string(crlf_ ? "\r\n" : "\n"); }

  std::string markdown() {
    crlf_ = below(4) == 0;
    std::string out;
    for (std::size_t i = 0, n = below(60); i < n; ++i) {
      out += one_of({"",     "",    "",     "# ",  "## ",   "### ", "- ", "  - ",
                     "1. ",  "> ",  "    ", "\t",  "```",   "~~~",  "|",  "<div>",
                     "<!--", "-->", "---",  "===", "* * *", "#",    "  "});
      if (below(3)) out += words(12);
      if (below(12) == 0) out += " | b |" + newline() + "|---|---|";
      out += newline();
      if (below(3) == 0) out += newline();
    }
    if (below(5) == 0)
      out = "---" + newline() + "title: " + words(3) + newline() + "---" + newline() + out;
    return out;
  }
  std::string plain() {
    crlf_ = below(4) == 0;
    std::string out;
    for (std::size_t i = 0, n = below(40); i < n; ++i) {
      out += one_of({"", "", "  ", "\t", "=== ", "----", "* "});
      out += words(30);
      if (below(4)) out += newline();
      if (below(3) == 0) out += newline();
    }
    return out;
  }
  std::string log() {
    std::string out;
    for (std::size_t i = 0, n = below(60); i < n; ++i) {
      out += one_of({"2026-03-01 12:00:00 INFO ", "2026-03-01 12:00:01 ERROR ",
                     "    at x.y(Z.java:1) ", "Caused by: ", "", "\n"});
      out += words(10) + "\n";
    }
    return out;
  }
  std::string code() {
    std::string out;
    for (std::size_t i = 0, n = below(80); i < n; ++i) {
      out +=
          one_of({"", "  ", "    ", "\t", "}", "// ", "int f() {", "  return 1;", "end", "else"});
      out += words(6) + "\n";
      if (below(4) == 0) out += "\n";
    }
    return out;
  }
  std::string csv() {
    std::string out = below(2) ? "id,name,note\n" : "";
    for (std::size_t i = 0, n = below(60); i < n; ++i) {
      out +=
          one_of({"1", "x", "\"a,b\"", "\"two\nlines\"", "\"he said \"\"hi\"\"\"", "\"open", ""});
      out += one_of({",", ",", "\n", "\r\n"});
      if (below(3) == 0) out += words(4) + ",";
    }
    return out;
  }

 private:
  std::mt19937 random_;
  bool crlf_ = false;
};

}  // namespace ragline::test
