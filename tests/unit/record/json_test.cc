#include "catch.h"
#include "record/json_scan.h"
#include "record/reader.h"

using namespace ragline;

namespace {

// "path=value" for every scalar, one a line.
std::string scalars(std::string_view json) {
  std::string out;
  const auto status = for_each_scalar(json, [&](std::string_view path, const JsonScalar& scalar) {
    out += path;
    switch (scalar.kind) {
      case JsonScalar::Kind::kNull:
        out += " null";
        break;
      case JsonScalar::Kind::kBool:
        out += scalar.boolean ? " true" : " false";
        break;
      case JsonScalar::Kind::kNumber:
        out += " number " + scalar.text;
        break;
      case JsonScalar::Kind::kString:
        out += " string " + scalar.text;
        break;
    }
    out += '\n';
  });
  return status ? out : status.error().message;
}

}  // namespace

TEST_CASE("every scalar is visited under its path") {
  CHECK(scalars("{}").empty());
  CHECK(scalars(R"({"a":1,"b":{"c":"x\n","d":{"e":true}},"f":null,"g.h":false})") ==
        "a number 1\nb.c string x\n\nb.d.e true\nf null\ng.h false\n");
  CHECK(scalars(R"({"l":[1,"two",[3],{"k":4},5],"m":6})") ==
        "l number 1\nl string two\nl number 3\nl.k number 4\nl number 5\nm number 6\n");
  CHECK(scalars(R"({"":{"":1},"\u0061\"":2,"e":{},"f":[]})") == ". number 1\na\" number 2\n");
  CHECK(scalars(R"({"big":123456789012345678901234567890,"e":1.50e3})") ==
        "big number 123456789012345678901234567890\ne number 1.50e3\n");
  CHECK(scalars("[1]") == "not a JSON object: give {\"key\": value, ...}");
  CHECK(scalars("{\"a\":1,}") == "not JSON at byte 7: a ',' before '}': remove it");

  double sum = 0;
  REQUIRE(for_each_scalar(R"({"a":-1.5,"b":[2,1e2]})",
                          [&](std::string_view, const JsonScalar& s) { sum += s.number; }));
  CHECK(sum == 100.5);
}

TEST_CASE("the grammar of JSON, no more and no less") {
  for (const char* good :
       {"{}", "[]", "0", "-0", "-0.5e+10", "1E5", "\"\"", "\"\\u0000\\ud800\"", "true", "false",
        "null", " [ 1 , 2 ] ", "{\"a\":{\"b\":[]},\"\":0}", "\t\r\n1\n", "\"\x7f\"", "[[],{}]"}) {
    INFO(good);
    CHECK(check_json(good));
  }
  for (const char* bad : {"",
                          " ",
                          "{",
                          "}",
                          "[",
                          "]",
                          "[1",
                          "[1,",
                          "[,1]",
                          "[1,]",
                          "{,}",
                          "{\"a\"}",
                          "{\"a\":}",
                          "{\"a\":1,}",
                          "{a:1}",
                          "{\"a\" 1}",
                          "{1:1}",
                          "00",
                          "01",
                          "-",
                          "-a",
                          "1.",
                          ".1",
                          "1e",
                          "1e+",
                          "+1",
                          "0x1",
                          "1a",
                          "\"",
                          "\"\\",
                          "\"\\u",
                          "\"\\u12g4\"",
                          "\"\\a\"",
                          "\"\n\"",
                          "\"\x1f\"",
                          "tru",
                          "truee",
                          "nulll",
                          "True",
                          "NaN",
                          "Infinity",
                          "'a'",
                          "1 1",
                          "{} {}",
                          "[1}",
                          "{\"a\":1]",
                          "\"\xff\"",
                          "\"\xc0\x80\"",
                          "\"\xed\xa0\x80\"",
                          "[1]\xff",
                          "/**/1",
                          "[1 2]",
                          "\f1"}) {
    INFO(bad);
    CHECK(!check_json(bad));
  }
}

TEST_CASE("values are cut out as written") {
  JsonScanner scan(R"( [ 1 , "a]" , {"b" : [ ] } , [[]] ] )");
  REQUIRE(scan.next() == JsonToken::kOpenArray);
  CHECK(scan.value() == "1");
  CHECK(scan.value() == "\"a]\"");
  CHECK(scan.value() == R"({"b" : [ ] })");
  CHECK(scan.value() == "[[]]");
  CHECK(scan.value() == std::nullopt);
  CHECK(scan.last() == JsonToken::kCloseArray);
  CHECK(scan.next() == JsonToken::kEnd);
}
