#include "index/filter_terms.h"

#include <string>
#include <vector>

#include "catch.h"

using namespace ragline;

namespace {

std::vector<FilterTerm> of_metadata(std::string json) {
  Document document;
  document.metadata = std::move(json);
  return document_filter_terms(document);
}

}  // namespace

TEST_CASE("document fields become terms, empty ones do not") {
  Document document;
  CHECK(document_filter_terms(document).empty());
  document.version = "1.2";
  document.title = "Orders";
  document.governance.tenant = "acme";
  document.governance.effective_to = "2026-01-01";
  CHECK(document_filter_terms(document) ==
        std::vector<FilterTerm>{
            {"version", "1.2"}, {"title", "Orders"}, {"tenant", "acme"}, {"timed", ""}});
}

TEST_CASE("an empty acl is a label that nobody matches") {
  Document document;
  document.governance.acl.emplace();
  CHECK(document_filter_terms(document) == std::vector<FilterTerm>{{"labelled", ""}});
  document.governance.acl = {"ann", "*"};
  CHECK(document_filter_terms(document) ==
        std::vector<FilterTerm>{{"labelled", ""}, {"acl", "ann"}, {"acl", "*"}});
}

TEST_CASE("metadata scalars become terms by path") {
  CHECK(of_metadata(R"({"a":{"b":[1,"x",{"c":true}],"d":null},"e.f":"","g":[[2.50]],"h":{}})") ==
        std::vector<FilterTerm>{
            {"m.a.b", "1"}, {"m.a.b", "x"}, {"m.a.b.c", "true"}, {"m.e.f", ""}, {"m.g", "2.50"}});
  CHECK(of_metadata(R"({"q\"uote":"tab\t"})") == std::vector<FilterTerm>{{"m.q\"uote", "tab\t"}});
  CHECK(of_metadata("").empty());
}

TEST_CASE("metadata that is no object, damaged or unnameable is left out") {
  CHECK(of_metadata("17").empty());
  CHECK(of_metadata(R"({"a":1,"b":)").empty());
  CHECK(of_metadata("{\"a\\u001fb\":1}").empty());
  CHECK(of_metadata("{\"" + std::string(300, 'n') + "\":1,\"z\":2}") ==
        std::vector<FilterTerm>{{"m.z", "2"}});
}

TEST_CASE("metadata keys cannot pass for governance") {
  CHECK(of_metadata(R"({"acl":"ann","tenant":"acme"})") ==
        std::vector<FilterTerm>{{"m.acl", "ann"}, {"m.tenant", "acme"}});
}

TEST_CASE("long values keep their equality") {
  const std::string a(1000, 'a'), b = a + 'b';
  CHECK(filter_value(a).size() == 256);
  CHECK(filter_value(a) != filter_value(b));
  CHECK(filter_value(std::string(256, 'a')) == std::string(256, 'a'));
  // 240 falls inside the two bytes of an é.
  const std::string accents = "x" + [] {
    std::string text;
    for (int i = 0; i < 200; ++i) text += "é";
    return text;
  }();
  CHECK(filter_value(accents).size() == 239 + 16);
}

TEST_CASE("a chunk brings its own language and block type") {
  Chunk chunk;
  chunk.language = "de";
  chunk.block_type = "table";
  CHECK(chunk_filter_terms(chunk) ==
        std::vector<FilterTerm>{{"language", "de"}, {"block_type", "table"}});
}
