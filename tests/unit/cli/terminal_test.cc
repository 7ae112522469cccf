#include "cli/terminal.h"

#include "catch.h"
#include "core/files.h"
#include "core/text.h"
#include "sample.h"

using namespace ragline;

// A file that holds escape sequences must not reach the terminal as such.
TEST_CASE("escape sequences of a corpus are made visible") {
  CHECK(harmless_text("plain \t text\n") == "plain \t text\n");
  CHECK(harmless_text("\x1b[31mred\x1b]0;title\x07") ==
        "\xe2\x90\x9b[31mred\xe2\x90\x9b]0;title\xe2\x90\x87");
  CHECK(harmless_text("a\rb\bc\x7f") ==
        "a\xe2\x90\x8d"
        "b\xe2\x90\x88"
        "c\xe2\x90\xa1");
  CHECK(harmless_text("\xc2\x9b"
                      "2J") == "<U+009B>2J");                          // the one-character CSI
  CHECK(harmless_text("if \xe2\x80\xae evil") == "if <U+202E> evil");  // right-to-left override
  CHECK(harmless_text("\x9b") == "\xef\xbf\xbd");
  CHECK(harmless_text(std::string_view("\0", 1)) == "\xe2\x90\x80");
  CHECK(harmless_text("Grüße 日本 👍") == "Grüße 日本 👍");
}

TEST_CASE("harmless text holds no control character, whatever comes in") {
  std::string bytes;
  for (int high = 0; high < 256; ++high)
    for (int low = 0; low < 256; ++low)
      append(bytes, static_cast<char>(high), static_cast<char>(low));
  const std::string out = harmless_text(bytes);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto c = static_cast<unsigned char>(out[i]);
    const bool c1 =
        c == 0xc2 && i + 1 < out.size() && static_cast<unsigned char>(out[i + 1]) < 0xa0;
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f || c1) FAIL("control character at " << i);
  }
}

TEST_CASE("colour: the flag decides, then the terminal and its variables") {
  CHECK(use_color("always", false, test_variable));
  CHECK_FALSE(use_color("never", true, test_variable));
  CHECK(use_color("auto", true, test_variable));
  CHECK_FALSE(use_color("auto", false, test_variable));
  test_variables() = {{"NO_COLOR", "1"}};
  CHECK_FALSE(use_color("auto", true, test_variable));
  CHECK(use_color("always", true, test_variable));
  test_variables() = {{"NO_COLOR", ""}, {"TERM", "dumb"}};
  CHECK_FALSE(use_color("auto", true, test_variable));
  test_variables().clear();
}

TEST_CASE("links only where the terminal is known to show them") {
  auto format = [](std::vector<std::pair<std::string, std::string>> variables,
                   bool terminal = true) {
    test_variables() = std::move(variables);
    auto result = link_format(terminal, test_variable);
    test_variables().clear();
    return result;
  };
  const std::string file = "file://{host}{path}";
  CHECK(format({}).empty());
  CHECK(format({{"VTE_VERSION", "6003"}}) == file);
  CHECK(format({{"VTE_VERSION", "4800"}}).empty());
  CHECK(format({{"VTE_VERSION", "6003"}}, false).empty());
  CHECK(format({{"VTE_VERSION", "6003"}, {"TERM", "screen-256color"}}).empty());
  CHECK(format({{"TERM", "xterm-kitty"}}) == file);
  CHECK(format({{"RAGLINE_HYPERLINKS", "always"}}) == file);
  CHECK(format({{"RAGLINE_HYPERLINKS", "never"}, {"TERM", "xterm-kitty"}}).empty());
  CHECK(format({{"RAGLINE_HYPERLINKS", "vscode://file{path}:{line}"}}) ==
        "vscode://file{path}:{line}");
}

TEST_CASE("painting") {
  std::string out;
  Painter(false, false, "").paint(out, Ink::kMatch, "a\x1b");
  CHECK(out == "a\x1b");  // a pipe gets the bytes
  out.clear();
  Painter(true, false, "").paint(out, Ink::kMatch, "a\x1b");
  CHECK(out == "a\xe2\x90\x9b");
  out.clear();
  Painter(true, true, "").paint(out, Ink::kMatch, "a");
  CHECK(out == "\x1b[1;31ma\x1b[0m");
  out.clear();
  Painter(true, true, "x:{path}:{line}").link(out, Ink::kPlain, "name", "/tmp/a b\x1b", 7);
  CHECK(out == "\x1b]8;;x:/tmp/a%20b%1b:7\x1b\\name\x1b]8;;\x1b\\");
}

TEST_CASE("terminal width") {
  test_variables() = {{"COLUMNS", "120"}};
  CHECK(terminal_width(-1, test_variable) == 120);
  test_variables() = {{"COLUMNS", "3"}};
  CHECK(terminal_width(-1, test_variable) == 40);
  test_variables().clear();
  CHECK(terminal_width(-1, test_variable) == 80);
}
