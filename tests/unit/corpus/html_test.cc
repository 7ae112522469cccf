#include "corpus/html.h"

#include "blocks.h"
#include "core/utf8.h"

using namespace ragline;
using namespace ragline::test;
using namespace std::string_literals;

namespace {

std::string text_of(std::string_view html) { return parsed("text/html", html).document.text; }

}  // namespace

TEST_CASE("paragraphs and entities") {
  CHECK(text_of("<p>a &amp; b&nbsp;c<p>caf&eacute; &lt;x&gt;&#x41;") == "a & b c\n\ncafé <x>A\n\n");
  CHECK(text_of("  one\n two <b>th</b>ree <br> four") == "one two three\nfour\n\n");
  CHECK(text_of("").empty());
  CHECK(text_of("a < b and <3") == "a < b and <3\n\n");
  CHECK(text_of("soft&shy;hyphen") == "softhyphen\n\n");
}

TEST_CASE("title, language and sections") {
  const auto document = parsed("text/html",
                               "<!doctype html><html lang='de-DE'><head><title> Das\nBuch "
                               "</title></head><body><h1>Eins <i>zwei</i></h1><p>x"
                               "<h3>Drei</h3>y<h1></h1>z");
  CHECK(document.document.title == "Das Buch");
  CHECK(document.document.language == "de");
  CHECK(document.extractor == "html");
  CHECK(sections(document) == Texts{"1 Eins zwei", "3 Drei"});
  CHECK(blocks(document) == Texts{"heading|Eins zwei\n\n", "paragraph|x\n\n", "heading|Drei\n\n",
                                  "paragraph|y\n\n", "paragraph|z\n\n"});
  CHECK(parsed("text/html", "<h2>Only</h2>").document.title == "Only");
  CHECK(sections(
            parsed("text/html", "<h2>A<a href=#a>\u00B6</a></h2><h2>B <a>#</a></h2><h2>C#</h2>")) ==
        Texts{"2 A", "2 B", "2 C#"});
}

TEST_CASE("lists") {
  CHECK(blocks("text/html", "<ul><li>a<li>b <ul><li>c</ul><li><p>d</p><p>e</p></ul>x") ==
        Texts{"list|- a\n- b\n  - c\n- d\n  e\n\n", "paragraph|x\n\n"});
  CHECK(text_of("<ol start=3><li>a<li>b</ol>") == "3. a\n4. b\n\n");
  CHECK(text_of("<dl><dt>term<dd>what it is</dl>") == "- term\n  what it is\n\n");
}

TEST_CASE("tables are rows of cells") {
  const auto document = parsed(
      "text/html", "<table><tr><th>id<th>name<tr><td>1<td><p>a</p><p>b</p><tr><td><td>x</table>");
  CHECK(blocks(document) == Texts{"table|id | name\n1 | a b\n| x\n\n"});
  CHECK(document.blocks[0].header == ByteSpan{0, 10});
  // A table that holds headings is layout.
  CHECK(blocks("text/html", "<table><tr><td><h1>A</h1>text<td>side</table>") ==
        Texts{"heading|A\n\n", "paragraph|text\n\n", "paragraph|side\n\n"});
}

TEST_CASE("code and quotes") {
  CHECK(blocks("text/html", "<pre>\n a\n  b &lt;\n</pre>x") ==
        Texts{"code| a\n  b <\n\n", "paragraph|x\n\n"});
  CHECK(blocks("text/html", "<blockquote><p>a<p>b</blockquote>") ==
        Texts{"quote|a\n\n", "quote|b\n\n"});
}

TEST_CASE("what nobody reads is left out") {
  CHECK(text_of("<script>var x='<p>no</p>'</script><style>p{}</style><nav>no</nav><p "
                "hidden>no</p><div aria-hidden=true>no</div>"
                "<span style='display: none'>no</span><!-- no "
                "--><template>no</template><svg><text>no</text></svg>"
                "<div role=navigation>no</div><p>yes</p><img alt='a picture'>") ==
        "yes\n\na picture\n\n");
}

TEST_CASE("encodings come through") {
  const auto document = parsed("text/html", "\xFF\xFE<\0p\0>\0\xE9\0"s);
  CHECK(document.document.text == "é\n\n");
}

// Gumbo's work grows with the square of the depth and of a tag's attributes.
TEST_CASE("markup is bounded before a tree is built") {
  std::string deep, attributes = "<p";
  for (int i = 0; i < 100000; ++i) deep += "<div>";
  for (int i = 0; i < 100000; ++i) attributes += " a" + std::to_string(i);
  const std::string bounded = bounded_html(deep + "text");
  CHECK(bounded.size() < 2000);
  CHECK(bounded.ends_with("text"));
  CHECK(bounded_html(attributes + ">x").size() < 500);
  CHECK(text_of(deep + "text") == "text\n\n");
  CHECK(bounded_html("a <b>c</b> <span hidden>d</span>") == "a c <span hidden>d</span>");
  CHECK(bounded_html("x<script>a</scripty></script >y") == "xy");
  CHECK(bounded_html("<title>a<b></title>") == "<title>a<b></title>");
  CHECK(bounded_html("a<!-- x") == "a");
  CHECK(bounded_html("<a href='>'>x") == "x");
}

TEST_CASE("blocks of HTML tile its text") {
  for (const char* html :
       {"<p>a<ul><li>b<table><tr><td>c<tr><td>d</table><pre>e</pre></ul><td>f",
        "<li>a<dd>b<tr>c<td>d", "<table><li>x<h1>y</table>", "<pre>a<table><tr><td>b</pre>c",
        "<ul><pre>x\n</pre><li>y</ul>", "<h1><ul><li>a</ul></h1>", "<pre>   </pre>a"}) {
    INFO(html);
    const auto document = parsed("text/html", html);
    std::string whole;
    for (const auto& block : blocks(document)) whole += block.substr(block.find('|') + 1);
    CHECK(whole == document.document.text);
    CHECK(is_valid_utf8(whole));
  }
}
