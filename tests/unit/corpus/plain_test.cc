#include "corpus/plain.h"

#include "blocks.h"

using namespace ragline::test;

TEST_CASE("plain text is paragraphs") {
  CHECK(blocks("text/plain", "a\nb\n\n \nc") == Texts{"paragraph|a\nb\n\n \n", "paragraph|c"});
  CHECK(blocks("text/plain", "Title\n=====\n") == Texts{"paragraph|Title\n=====\n"});
}

TEST_CASE("reStructuredText headings") {
  const auto document = parsed("text/x-rst",
                               "=====\nTitle\n=====\n\nText\n\nPart\n----\n\nSub\n~~~\n\nOther\n---"
                               "--\nx\n\n::\n\n  a\n  ---\n");
  CHECK(sections(document) == Texts{"1 Title", "2 Part", "3 Sub", "2 Other"});
  CHECK(document.document.title == "Title");
  // A transition, a table and an underline that is too short are none.
  CHECK(sections(
            parsed("text/x-rst", "a\n\n----\n\nb\n\n=== ===\n1   2\n=== ===\n\nlong title\n--\n"))
            .empty());
}

TEST_CASE("AsciiDoc and Org headings") {
  CHECK(sections(parsed("text/x-asciidoc", "= T\n\n== A\n----\n== no\n----\n=== B\n==no\n")) ==
        Texts{"1 T", "2 A", "3 B"});
  CHECK(sections(parsed("text/x-org",
                        "* A\ntext\n** B\n#+BEGIN_SRC sh\n* no\n#+END_SRC\n* C\n*bold*\n")) ==
        Texts{"1 A", "2 B", "1 C"});
}
