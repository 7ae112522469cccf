#include "record/writer.h"

#include <limits>

#include "catch.h"
#include "core/utf8.h"
#include "random_records.h"
#include "record/json_scan.h"
#include "record/reader.h"

using namespace ragline;

namespace {

// The twin of append_json_string: one character at a time.
std::string slow_json_string(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    const std::string_view short_forms = "\"\"\\\\\nn\rr\tt\bb\ff";
    const auto found = c < 0x80 ? short_forms.find(static_cast<char>(c)) : short_forms.npos;
    if (found != short_forms.npos && found % 2 == 0) {
      out += '\\';
      out += short_forms[found + 1];
    } else if (c < 0x20 || c == 0x2028 || c == 0x2029) {
      out += c < 0x20 ? "\\u00" : "\\u20";
      out += "0123456789abcdef"[c >> 4 & 15];
      out += "0123456789abcdef"[c & 15];
    } else {
      append_utf8(out, c);
    }
  }
  return out + '"';
}

}  // namespace

TEST_CASE("strings are escaped as the slow twin does it") {
  for (std::uint32_t seed = 0; seed < 20000; ++seed) {
    INFO("seed " << seed);
    RandomRecords random(seed);
    std::string text;
    for (auto n = random.below(6); n > 0; --n)
      text += random.below(3) == 0 ? random.bytes() : random.text();
    const std::string expected = slow_json_string(text);
    REQUIRE(json_string(text) == expected);
    std::string back;
    REQUIRE(append_unescaped(back, std::string_view(expected).substr(1, expected.size() - 2)));
    REQUIRE(back == to_valid_utf8(text));
  }
}

TEST_CASE("long strings are escaped across the pieces in which they are written") {
  RandomRecords random(5);
  std::string text;
  while (text.size() < 100'000) text += random.text() + "訂單";
  CHECK((json_string(text) == slow_json_string(text)));
  CHECK((json_string(text + "\xff") == slow_json_string(text + "\xff")));
  for (std::size_t before = 8180; before < 8200; ++before)
    CHECK((json_string(std::string(before, 'x') + "😀\u2028\n\"") ==
           slow_json_string(std::string(before, 'x') + "😀\u2028\n\"")));
}

TEST_CASE("absent members leave no trace and the order is fixed") {
  std::string out;
  write_record(out, Document{});
  write_record(out, Chunk{});
  write_record(out, Query{});
  write_record(out, Hit{});
  write_record(out, End{});
  CHECK(out ==
        "{\"type\":\"document\"}\n{\"type\":\"chunk\",\"ordinal\":0}\n{\"type\":\"query\"}\n"
        "{\"type\":\"hit\",\"rank\":0,\"score\":0,\"ordinal\":0}\n{\"type\":\"end\",\"complete\":"
        "true}\n");

  Hit hit;
  hit.query_id = "q";
  hit.rank = 1;
  hit.score = 12.25;
  hit.method = "hybrid";
  hit.scores = {{"bm25", 12.25, 1, {}}, {"dense", 0.5, 3, {}}};
  hit.chunk.evidence_id = "a#0-2@0123456789ab";
  hit.chunk.lines = LineSpan{1, 2};
  hit.chunk.bytes = ByteSpan{0, 2};
  hit.chunk.text = "hi";
  hit.chunk.governance.acl = std::vector<std::string>{"*"};
  hit.chunk.extra = "\"x\":1";
  hit.spans = "[[0,2]]";
  hit.explain = "{}";
  out.clear();
  write_record(out, hit);
  CHECK(
      out ==
      R"({"type":"hit","query_id":"q","rank":1,"score":12.25,"method":"hybrid",)"
      R"("scores":{"bm25":{"score":12.25,"rank":1},"dense":{"score":0.5,"rank":3}},)"
      R"("evidence_id":"a#0-2@0123456789ab","ordinal":0,"lines":[1,2],"bytes":[0,2],"text":"hi","acl":["*"],)"
      R"("spans":[[0,2]],"explain":{},"x":1})"
      "\n");
}

TEST_CASE("an object by hand") {
  std::string out;
  JsonObject(out)
      .add("s", "a\"b")
      .add("b", true)
      .add("d", 0.1)
      .add("u", std::uint64_t{18446744073709551615u})
      .add("i", -3)
      .add("k\n", std::string_view("v"))
      .raw("r", "[1]")
      .members("\"m\":1")
      .members("")
      .close();
  CHECK(out ==
        R"({"s":"a\"b","b":true,"d":0.1,"u":18446744073709551615,"i":-3,"k\n":"v","r":[1],"m":1})");
  out.clear();
  JsonObject(out).close();
  CHECK(out == "{}");
}

TEST_CASE("what JSON cannot hold is written null") {
  std::string out;
  JsonObject(out)
      .add("nan", std::numeric_limits<double>::quiet_NaN())
      .add("inf", -std::numeric_limits<double>::infinity())
      .close();
  CHECK(out == R"({"nan":null,"inf":null})");
  Hit hit;
  hit.score = std::numeric_limits<double>::quiet_NaN();
  out.clear();
  write_record(out, hit);
  CHECK(out == "{\"type\":\"hit\",\"rank\":0,\"score\":null,\"ordinal\":0}\n");
  out.pop_back();
  CHECK(std::get<Hit>(*RecordParser().parse(out)).score == 0);
}
