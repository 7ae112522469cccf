#include "corpus/markdown.h"

#include "blocks.h"
#include "corpus/markdown_line.h"

using namespace ragline;
using namespace ragline::test;

namespace {

Texts md(std::string_view text) { return blocks("text/markdown", text); }
Texts headings(std::string_view text) { return sections(parsed("text/markdown", text)); }

}  // namespace

TEST_CASE("paragraphs, headings and rules") {
  CHECK(md("# A\ntext\nmore\n\n***\nend") ==
        Texts{"heading|# A\n", "paragraph|text\nmore\n\n", "rule|***\n", "paragraph|end"});
  CHECK(md("\n\n  \nx\n") == Texts{"paragraph|\n\n  \nx\n"});
  CHECK(md("").empty());
  CHECK(md(" \n\n").empty());
}

TEST_CASE("ATX headings") {
  CHECK(headings("# A\n## B ##\n###### F\n#\n   ### in\n") ==
        Texts{"1 A", "2 B", "6 F", "1 ", "3 in"});
  CHECK(headings("#hashtag\n####### seven\n    # code\n\\# not\n").empty());
  CHECK(headings("# C#\n# a #b#\n") == Texts{"1 C#", "1 a #b#"});
  CHECK(headings("text\n# A\n") == Texts{"1 A"});
}

TEST_CASE("Setext headings") {
  CHECK(md("Title\nwraps\n=====\ntext\n") ==
        Texts{"heading|Title\nwraps\n=====\n", "paragraph|text\n"});
  CHECK(headings("A\n=\nB\n---\n") == Texts{"1 A", "2 B"});
  CHECK(headings("wraps\nhere\n===\n") == Texts{"1 wraps here"});
  CHECK(headings("\n---\n").empty());
  CHECK(headings("> quote\n---\n").empty());
  CHECK(headings("a\n= =\n").empty());
}

TEST_CASE("titles lose their markup") {
  CHECK(heading_title("**Bold** [link](http://x/(y) and `code_x`") == "Bold link and code_x");
  CHECK(heading_title("Install {#install}") == "Install");
  CHECK(heading_title("a \\* b [ref][1] ![logo](x.png)") == "a * b ref1 logo");
  CHECK(heading_title("snake_case_name") == "snake_case_name");
}

TEST_CASE("a hash inside a fence is no heading") {
  CHECK(md("```sh\n# comment\n```\n# A\n") ==
        Texts{"code|```sh\n# comment\n```\n", "heading|# A\n"});
  CHECK(md("~~~~\n~~~\n# x\n```\n~~~~\nend\n") ==
        Texts{"code|~~~~\n~~~\n# x\n```\n~~~~\n", "paragraph|end\n"});
  CHECK(md("```\nopen to the end\n\n# x\n") == Texts{"code|```\nopen to the end\n\n# x\n"});
  CHECK(md("``` a`b\ntext\n") == Texts{"paragraph|``` a`b\ntext\n"});
  CHECK(md("text\n```\n```") == Texts{"paragraph|text\n", "code|```\n```"});
}

TEST_CASE("indented code") {
  CHECK(md("a\n\n    code\n\n\tmore\nend\n") ==
        Texts{"paragraph|a\n\n", "code|    code\n\n\tmore\n", "paragraph|end\n"});
  CHECK(md("a\n    not code\n") == Texts{"paragraph|a\n    not code\n"});
}

TEST_CASE("lists hold what is nested in them") {
  CHECK(md("- a\n  more\n\n  para\n  - b\n- c\nlazy\n\nend\n") ==
        Texts{"list|- a\n  more\n\n  para\n  - b\n- c\nlazy\n\n", "paragraph|end\n"});
  CHECK(md("1. a\n   ```\n   # no\n   ```\n2. b\n# A\n") ==
        Texts{"list|1. a\n   ```\n   # no\n   ```\n2. b\n", "heading|# A\n"});
  CHECK(md("- ```\n  - # no\n  ```\n- b\n") == Texts{"list|- ```\n  - # no\n  ```\n- b\n"});
  CHECK(md("text\n- a\n") == Texts{"paragraph|text\n", "list|- a\n"});
  CHECK(md("text\n2. not a list\n-\n") == Texts{"heading|text\n2. not a list\n-\n"});
  CHECK(md("- a\n\n***\n") == Texts{"list|- a\n\n", "rule|***\n"});
  CHECK(md("-a\n*b*\n1.c\n") == Texts{"paragraph|-a\n*b*\n1.c\n"});
}

TEST_CASE("tables") {
  CHECK(md("| a | b |\n|---|:-:|\n| 1 | 2 |\nx\n\nend\n") ==
        Texts{"table|| a | b |\n|---|:-:|\n| 1 | 2 |\nx\n\n", "paragraph|end\n"});
  CHECK(md("intro\na | b\n--|--\n1 | 2\n") ==
        Texts{"paragraph|intro\n", "table|a | b\n--|--\n1 | 2\n"});
  CHECK(md("a | b | c\n--|--\n") == Texts{"paragraph|a | b | c\n--|--\n"});  // cells differ
  CHECK(md("a \\| b\n:--\n1\n") == Texts{"table|a \\| b\n:--\n1\n"});
  const auto document = parsed("text/markdown", "x\n\n| a |\n|---|\n| 1 |\n");
  CHECK(document.blocks[1].header == ByteSpan{3, 15});
}

TEST_CASE("quotes") {
  CHECK(md("> a\nlazy\n> # no section\n\nend\n") ==
        Texts{"quote|> a\nlazy\n> # no section\n\n", "paragraph|end\n"});
  CHECK(md("> ```\n> code\ntext\n") == Texts{"quote|> ```\n> code\n", "paragraph|text\n"});
  CHECK(headings("> # A\n").empty());
  CHECK(md("> a\n- b\n") == Texts{"quote|> a\n", "list|- b\n"});
}

TEST_CASE("HTML blocks") {
  CHECK(md("<!-- a\n\n# no\n-->\n# A\n") == Texts{"html|<!-- a\n\n# no\n-->\n", "heading|# A\n"});
  CHECK(md("<div>\n# no\n\n# A\n") == Texts{"html|<div>\n# no\n\n", "heading|# A\n"});
  CHECK(md("<SCRIPT>\n\n# no\n</Script>\nx\n") ==
        Texts{"html|<SCRIPT>\n\n# no\n</Script>\n", "paragraph|x\n"});
  CHECK(md("<b>bold</b> text\n") == Texts{"paragraph|<b>bold</b> text\n"});
  CHECK(md("<http://x.y>\n") == Texts{"paragraph|<http://x.y>\n"});
  CHECK(md("<my-tag a=1>\n\nx\n") == Texts{"html|<my-tag a=1>\n\n", "paragraph|x\n"});
  CHECK(md("text\n<my-tag>\n") == Texts{"paragraph|text\n<my-tag>\n"});
}

TEST_CASE("CRLF changes nothing") {
  CHECK(md("# A\r\n\r\n```\r\n# x\r\n```\r\n- a\r\n\r\nT\r\n===\r\n") ==
        Texts{"heading|# A\r\n\r\n", "code|```\r\n# x\r\n```\r\n", "list|- a\r\n\r\n",
              "heading|T\r\n===\r\n"});
  CHECK(headings("# A\r\nT\r\nx\r\n===\r\n") == Texts{"1 A", "1 T x"});
}

TEST_CASE("sections nest by level") {
  const auto document = parsed("text/markdown", "# A\n## B\n#### C\n## D\n# E\n");
  REQUIRE(document.sections.size() == 6);
  CHECK(document.sections[3].parent == 2);
  CHECK(document.sections[4].parent == 1);
  CHECK(document.sections[5].parent == 0);
  CHECK(document.sections[1].bytes == ByteSpan{0, 21});
  CHECK(document.sections[2].bytes == ByteSpan{4, 16});
  CHECK(document.sections[0].bytes == ByteSpan{0, 25});
}

TEST_CASE("the title is the front matter's, else the first heading of level 1") {
  CHECK(parsed("text/markdown", "---\ntitle: T\n---\n# A\n").document.title == "T");
  CHECK(parsed("text/markdown", "## B\n# A\n# C\n").document.title == "A");
  CHECK(parsed("text/markdown", "## B\n### C\n").document.title == "B");
  CHECK(parsed("text/markdown", "text\n").document.title.empty());
}

TEST_CASE("a title has bounds") {
  const auto document = parsed("text/markdown", "# " + std::string(1 << 20, 'x') + "\n");
  CHECK(document.sections[1].title.size() <= 256);
}
