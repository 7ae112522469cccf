#include "record/reader.h"

#include "catch.h"
#include "core/text.h"
#include "record/writer.h"

using namespace ragline;

namespace {

template <class T>
T read(std::string_view line, RowKind untyped = RowKind::kDocument) {
  auto record = RecordParser(untyped).parse(line);
  if (!record) FAIL(record.error().message);
  REQUIRE(std::holds_alternative<T>(*record));
  return std::get<T>(*record);
}

std::string error_of(std::string_view line) {
  const auto record = RecordParser().parse(line);
  if (record) return "accepted";
  CHECK(record.error().kind == ErrorKind::kData);
  return record.error().message;
}

std::string written(const Record& record) {
  std::string out;
  write_record(out, record);
  return out;
}

}  // namespace

TEST_CASE("BEIR rows are documents or queries, whichever the tool reads") {
  const std::string row =
      R"({"_id": "d1", "title": "T", "text": "body", "metadata": {"year": 2020}})";
  const auto document = read<Document>(row);
  CHECK(document.document_id == "d1");
  CHECK(document.title == "T");
  CHECK(document.text == "body");
  CHECK(document.metadata == R"({"year": 2020})");
  CHECK(document.extra.empty());

  const auto query = read<Query>(row, RowKind::kQuery);
  CHECK(query.query_id == "d1");
  CHECK(query.query == "body");
  CHECK(query.extra == R"("title":"T","metadata":{"year": 2020})");

  CHECK(read<Document>(R"({"_id": 17, "text": "x"})").document_id == "17");
  CHECK(read<Query>(R"({"_id": 17, "text": "x"})", RowKind::kQuery).query_id == "17");
  CHECK(read<Document>(R"({"_id": "only a title", "title": "x"})").title == "x");
}

TEST_CASE("rows without a type are taken by their fields") {
  CHECK(read<Document>(R"({"document_id":"a","text":"b"})").document_id == "a");
  CHECK(read<Document>(R"({"document_id":"a","text":"b"})", RowKind::kQuery).text == "b");
  CHECK(read<Query>(R"({"query":"how"})").query == "how");
  CHECK(read<Query>(R"({"_id":"q","query":"how"})").query_id == "q");
  CHECK(
      error_of(R"({"a":1})") ==
      "no 'type', and not a BEIR row either: give a record of ragline, or a row with _id and text");
  CHECK(error_of(R"({})").starts_with("no 'type'"));
}

TEST_CASE("unknown fields and unknown types pass unchanged") {
  const std::string members =
      R"("big":123456789012345678901234567890,"neg":-0.0,"s":"\ud83d\ude00","o":{"type" : [1 , 2]})";
  const auto chunk =
      read<Chunk>(R"({"type":"chunk","x" : null,"ordinal":3,)" + members + R"(,"text":"t"})");
  CHECK(chunk.extra == "\"x\":null," + members);
  CHECK(chunk.ordinal == 3);

  for (const char* type :
       {"match", "passage", "context", "answer", "case", "trace", "something new"}) {
    const std::string line = cat(R"( { "type" : ")", std::string_view(type),
                                 R"(", "n":1e400, "big":123456789012345678901} )");
    const auto other = read<OtherRecord>(line);
    CHECK(other.type == type);
    CHECK(written(other) == line + "\n");
  }
}

TEST_CASE("of a repeated field the last one counts") {
  const auto chunk = read<Chunk>(
      R"({"type":"chunk","text":"a","lines":[1,2],"text":"b","lines":null,"acl":["x"],"acl":[]})");
  CHECK(chunk.text == "b");
  CHECK(!chunk.lines);
  CHECK(chunk.governance.acl == std::vector<std::string>{});
  CHECK(read<Query>(R"({"type":"chunk","query":"q","type":"query"})").query == "q");
}

TEST_CASE("names may be escaped, the type may come last, null is absent") {
  const auto chunk = read<Chunk>(
      R"({"\u0074ext":"t","page":null,"acl":null,"metadata":null,"k\"":1,"type":"chunk"})");
  CHECK(chunk.text == "t");
  CHECK(chunk.extra == R"("k\"":1)");
  CHECK(written(chunk) == "{\"type\":\"chunk\",\"ordinal\":0,\"text\":\"t\",\"k\\\"\":1}\n");
}

TEST_CASE("NUL and all other characters survive, half surrogates are repaired") {
  CHECK(read<Document>(R"({"type":"document","text":"a\u0000b"})").text == std::string("a\0b", 3));
  CHECK(read<Document>(R"({"type":"document","text":"\ud83d\ude00\u00e9\b\f\n\r\t\/\\\""})").text ==
        "😀é\b\f\n\r\t/\\\"");
  CHECK(read<Document>(R"({"type":"document","text":"\ud83dx\ude00\ud83d\u0041"})").text ==
        "\uFFFDx\uFFFD\uFFFDA");
}

TEST_CASE("path_b64 has the bytes of a path, wherever it stands") {
  CHECK(read<Chunk>(R"({"type":"chunk","path":"a?","path_b64":"Yf8="})").path == "a\xff");
  CHECK(read<Chunk>(R"({"type":"chunk","path_b64":"Yf8=","path":"a?"})").path == "a\xff");
  CHECK(read<Chunk>(R"({"type":"chunk","path_b64":null,"path":"a"})").path == "a");
  Document document;
  document.path = "a\xff";
  CHECK(written(document) ==
        "{\"type\":\"document\",\"path\":\"a\uFFFD\",\"path_b64\":\"Yf8=\"}\n");
  CHECK(error_of(R"({"type":"chunk","path_b64":"Y"})") ==
        "field 'path_b64' is not base64: give the standard alphabet with its '=' padding");
}

TEST_CASE("a field of the wrong shape says what is there and what belongs there") {
  const std::pair<const char*, const char*> cases[] = {
      {R"("lines":"3-4")",
       "field 'lines' is a string: give [first, last], whole numbers with 1 <= first <= last"},
      {R"("lines":[0,4])",
       "field 'lines' is a list: give [first, last], whole numbers with 1 <= first <= last"},
      {R"("lines":[5,4])",
       "field 'lines' is a list: give [first, last], whole numbers with 1 <= first <= last"},
      {R"("bytes":[1,2,3])",
       "field 'bytes' is a list: give [begin, end], whole numbers with 0 <= begin <= end"},
      {R"("text":7)", "field 'text' is 7: give a string"},
      {R"("text":{})", "field 'text' is an object: give a string"},
      {R"("ordinal":-1)",
       "field 'ordinal' is -1: give a whole number from 0 to 18446744073709551615"},
      {R"("ordinal":1.0)",
       "field 'ordinal' is 1.0: give a whole number from 0 to 18446744073709551615"},
      {R"("page":"x")",
       "field 'page' is a string: give a whole number from 0 to 18446744073709551615"},
      {R"("acl":"me")", "field 'acl' is a string: give a list of strings"},
      {R"("acl":["me",1])",
       "field 'acl' holds something else than strings: give a list of strings"},
      {R"("section_path":[["a"]])",
       "field 'section_path' holds something else than strings: give a list of strings"},
      {R"("metadata":[])", "field 'metadata' is a list: give an object"},
  };
  for (const auto& [member, message] : cases)
    CHECK(error_of(cat(R"({"type":"chunk",)", std::string_view(member), "}")) == message);
  CHECK(error_of(R"({"type":"hit","score":"x"})") ==
        "field 'score' is a string: give a number within the range of a double");
  CHECK(error_of(R"({"type":"hit","score":1e999})") ==
        "field 'score' is 1e999: give a number within the range of a double");
  CHECK(
      error_of(R"({"type":"hit","scores":{"bm25":3}})") ==
      R"(field 'scores' is an object: give {"arm": {"score": number, "rank": whole number}, ...})");
  CHECK(error_of(R"({"type":"hit","spans":{}})") == "field 'spans' is an object: give a list");
  CHECK(error_of(R"({"type":"end","complete":1})") == "field 'complete' is 1: give true or false");
  CHECK(error_of(R"({"type":"end","skipped":{"binary":-1}})") ==
        "field 'skipped' is an object: give an object of whole numbers");
  CHECK(error_of(R"({"type":7})") == "field 'type' is 7: give a string");
}

TEST_CASE("a line that is not JSON is placed to the byte") {
  const std::pair<std::string, const char*> cases[] = {
      {"", "not JSON at byte 0: the text is empty: give one value"},
      {"{", "not JSON at byte 1: the text ends inside an object: close it with '}', on one line"},
      {"hello",
       "not JSON at byte 0: no value starts like this: strings need double quotes, and NaN is "
       "written null"},
      {R"({"type":"chunk"} x)",
       "not JSON at byte 17: something follows the value: give one value a line"},
      {R"({"type":"chunk",})", "not JSON at byte 16: a ',' before '}': remove it"},
      {R"({"type":"chunk" "a":1})",
       "not JSON at byte 16: a member is followed by neither ',' nor '}': add what is missing"},
      {R"({"type":"chunk","a"})", "not JSON at byte 19: a name without ':': give \"name\": value"},
      {R"({"type":"chunk",a:1})",
       "not JSON at byte 16: a member without a name: give \"name\": value"},
      {R"({"type":"chunk","page":01})",
       "not JSON at byte 25: a number with leading zeros: quote it or drop the zeros"},
      {R"({"type":"chunk","text":"a\x"})",
       "not JSON at byte 25: an unknown escape: write \\\\ for a backslash"},
      {R"({"type":"chunk","text":"a\u12"})",
       "not JSON at byte 25: \\u without four hex digits: write \\\\u for a backslash"},
      {R"({"type":"chunk","text":"a)",
       "not JSON at byte 25: the text ends inside a string: close it with '\"', on one line"},
      {"{\"type\":\"chunk\",\"text\":\"a\tb\"}",
       "not JSON at byte 25: a control character inside a string: escape it, a tab as \\t, NUL as "
       "\\u0000"},
      {std::string("{\"type\":\"chunk\",\"text\":\"a\0b\"}", 29),
       "not JSON at byte 25: a control character inside a string: escape it, a tab as \\t, NUL as "
       "\\u0000"},
      {"{\"type\":\"chunk\",\"skipped\":\"\xff\"}",
       "not UTF-8 at byte 27: convert the input, for example with iconv -t UTF-8"},
  };
  for (const auto& [line, message] : cases) {
    INFO(line);
    CHECK(error_of(line) == message);
  }
  CHECK(error_of("[1]") == "the line is JSON but no object: give {\"type\": ...}");
  CHECK(error_of("\"x\"") == "the line is JSON but no object: give {\"type\": ...}");
  CHECK(error_of("{\"type\":\"match\",\n\"a\":1}") ==
        "a line break inside a record: give one object a line (jq -c)");
  CHECK(error_of("{\"type\":\"chunk\",\"a\":[1,\n2]}") ==
        "a line break inside a record: give one object a line (jq -c)");
}

TEST_CASE("invalid JSON in a field that is only kept is still an error") {
  for (const char* value :
       {"[1 2]",     "[1,]", "{\"a\"}",     "{\"a\":1]",  "tru", "nul",     "01",
        "1.",        "-",    "1e",          "+1",         ".5",  "\"\\q\"", "[}",
        "[\"a\":1]", "NaN",  "\"a\":\"b\"", "\"a\"\"b\"", "1 2", "{}{}"})
    for (const char* type : {"chunk", "hit", "end", "document", "query", "match"}) {
      const std::string line = cat("{\"type\":\"", std::string_view(type),
                                   "\",\"unknown\":", std::string_view(value), "}");
      INFO(line);
      CHECK(error_of(line).starts_with("not JSON at byte "));
    }
}

TEST_CASE("deep nesting is an error, not a stack overflow") {
  auto nested = [](std::size_t depth) {
    return cat(R"({"type":"chunk","deep":)", std::string(depth, '['), std::string(depth, ']'), "}");
  };
  CHECK(error_of(nested(1000)) == "accepted");
  CHECK(error_of(nested(5000)).find("more than 1024 levels of nesting: flatten it") !=
        std::string::npos);
  CHECK(error_of(nested(3'000'000)).find("more than 1024 levels of nesting: flatten it") !=
        std::string::npos);
  CHECK(error_of(std::string(3'000'000, '{')) != "accepted");
}

TEST_CASE("an end record keeps its counts in order") {
  const std::string line =
      R"({"type":"end","query_id":"q","hits":10,"matched":214,"complete":false,"stop_reason":"limit:max-matches",)"
      R"("next":"c","skipped":{"binary":2},"warnings":["w"],"stats":{"ms":1.5},"later":"x"})";
  const auto end = read<End>(line);
  CHECK(end.counts ==
        std::vector<std::pair<std::string, std::uint64_t>>{{"hits", 10}, {"matched", 214}});
  CHECK(end.extra == R"("later":"x")");
  CHECK(written(end) == line + "\n");
}

TEST_CASE("at_line names the place before the error") {
  const Error error = at_line({ErrorKind::kData, "what: remedy"}, "f.jsonl", 3);
  CHECK(error.message == "f.jsonl:3: what: remedy");
  CHECK(error.kind == ErrorKind::kData);
}
