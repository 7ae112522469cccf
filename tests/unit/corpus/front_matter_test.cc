#include "corpus/front_matter.h"

#include "blocks.h"

using namespace ragline;

namespace {

std::string metadata(const std::string& yaml) {
  const auto found = parse_front_matter("---\n" + yaml + "---\ntext\n", false);
  return found ? found->metadata : "malformed";
}

}  // namespace

TEST_CASE("values of front matter") {
  CHECK(metadata("a: x y\n") == R"({"a":"x y"})");
  CHECK(metadata("a: 'it''s'\nb: \"tab\\t\\\"q\\\"\"\n") == R"({"a":"it's","b":"tab\t\"q\""})");
  CHECK(metadata("n: 12\nf: -0.5\nz: 007\nv: 1.2.3\ne:\n") ==
        R"({"n":12,"f":-0.5,"z":"007","v":"1.2.3","e":null})");
  CHECK(metadata("t: true\nd: 2026-03-01\n") == R"({"t":true,"d":"2026-03-01"})");
  CHECK(metadata("l: [a, 'b, c', 3]\nm: []\n") == R"({"l":["a","b, c",3],"m":[]})");
  CHECK(metadata("l:\n  - a\n  - \"b: c\"\nk:\n- 1\n- x\n") == R"({"l":["a","b: c"],"k":[1,"x"]})");
  CHECK(metadata("m:\n  a: 1\n  b: x\n") == R"({"m":{"a":1,"b":"x"}})");
  CHECK(metadata("s: |\n  one\n  two\nf: >-\n  one\n  two\n") ==
        R"({"s":"one\ntwo","f":"one two"})");
  CHECK(metadata("a: x # comment\n# whole line\n\nu: http://x/y#z\n") ==
        R"({"a":"x","u":"http://x/y#z"})");
  CHECK(metadata("a: long\n  and more\n") == R"({"a":"long and more"})");
}

TEST_CASE("malformed front matter is text") {
  for (const char* yaml :
       {"no key\n", "a: 'open\n", "a: [x, y\n", "a: 1\na: 2\n", "  a: 1\n", "", "- a\n"}) {
    INFO(yaml);
    CHECK(metadata(yaml) == "malformed");
  }
  CHECK_FALSE(parse_front_matter("---\na: 1\n", false));
  CHECK_FALSE(parse_front_matter("text\n---\na: 1\n---\n", false));
  CHECK_FALSE(parse_front_matter("---\na: " + std::string(20000, 'x') + "\n---\n", false));
  CHECK(test::blocks("text/markdown", "---\nno key\n---\n") ==
        test::Texts{"rule|---\n", "heading|no key\n---\n"});
}

TEST_CASE("title and language have fields of their own") {
  const auto found =
      parse_front_matter("---\r\ntitle: The Title\r\nlang: de-AT\r\ntags: [a]\r\n...\r\nx", false);
  REQUIRE(found.has_value());
  CHECK(found->title == "The Title");
  CHECK(found->language == "de");
  CHECK(found->metadata == R"({"tags":["a"]})");
  CHECK(found->size == 52);
}

TEST_CASE("labels are taken only where they are trusted") {
  const std::string text =
      "---\ntenant: acme\nacl: [sales, hr]\neffective_from: 2026-01-01\neffective_to: "
      "2027-01-01\n---\nx\n";
  const auto plain = test::parsed("text/markdown", text);
  CHECK(plain.document.governance == Governance{});
  CHECK(plain.document.metadata.find("\"tenant\":\"acme\"") != std::string::npos);
  const auto trusted = test::parsed("text/markdown", text, {.trust_labels = true});
  CHECK(trusted.document.metadata.empty());
  CHECK(trusted.document.governance.tenant == "acme");
  CHECK(trusted.document.governance.acl == std::vector<std::string>{"sales", "hr"});
  CHECK(trusted.document.governance.effective_from == "2026-01-01");
  CHECK(trusted.document.governance.effective_to == "2027-01-01");
  // What is no list of principals admits nobody.
  const auto closed = parse_front_matter("---\nacl:\n  who: everyone\n---\n", true);
  REQUIRE(closed->governance.acl.has_value());
  CHECK(closed->governance.acl->empty());
}

TEST_CASE("front matter is a block of its own and goes with what follows") {
  CHECK(test::blocks("text/markdown", "---\na: 1\n---\n\n# A\n") ==
        test::Texts{"front_matter|---\na: 1\n---\n\n", "heading|# A\n"});
}
