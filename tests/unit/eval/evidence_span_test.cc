#include "eval/evidence_span.h"

#include "catch.h"
#include "eval/evidence_input.h"

using namespace ragline;

namespace {

EvidenceSpan span(std::string_view json) {
  const auto found = read_evidence_span(json);
  INFO(json);
  REQUIRE(found);
  return *found;
}

Overlap overlap(std::string_view a, std::string_view b) { return overlap_of(span(a), span(b)); }

InputText input(std::string bytes) { return InputText("contexts.jsonl", std::move(bytes)); }

}  // namespace

TEST_CASE("places by id, by path and lines, by document") {
  CHECK(span(R"("a.md#3-9@0123456789ab")").bytes == ByteSpan{3, 9});
  CHECK(span(R"("a.md#3-9@0123456789ab")").document_id == "a.md");
  CHECK(span(R"({"path":"a.md","lines":[2,4]})").lines == LineSpan{2, 4});
  CHECK(span(R"({"evidence_id":"a.md#3-9@0123456789ab","lines":[1,2]})").lines == LineSpan{1, 2});
  CHECK(span("\"doc7\"").document_id == "doc7");
  CHECK(span("7").document_id == "7");
  CHECK(read_evidence_span(R"({"lines":[1,2]})").error().message.find("give an evidence_id") !=
        std::string::npos);
  CHECK_FALSE(read_evidence_span(R"({"path":"a","lines":[3,2]})"));
}

TEST_CASE("places overlap by bytes, else lines, else as documents") {
  const char* low = R"({"path":"a","bytes":[0,10]})";
  CHECK(overlap(low, R"({"path":"a","bytes":[9,12]})") == Overlap::kYes);
  CHECK(overlap(low, R"({"path":"a","bytes":[10,12]})") == Overlap::kNo);
  CHECK(overlap(low, R"({"path":"b","bytes":[0,10]})") == Overlap::kNo);
  CHECK(overlap(low, R"({"path":"a","lines":[1,2]})") == Overlap::kUnknown);
  CHECK(overlap(low, R"("a")") == Overlap::kYes);
  CHECK(overlap(R"({"path":"a","lines":[1,3]})", R"({"path":"a","lines":[3,5]})") == Overlap::kYes);
  CHECK(overlap(R"({"path":"a","lines":[1,2]})", R"({"path":"a","lines":[3,5]})") == Overlap::kNo);
  CHECK(overlap(R"({"path":"a","bytes":[4,4]})", R"({"path":"a","bytes":[4,4]})") == Overlap::kYes);
}

TEST_CASE("contexts from context records, hits and plain rows") {
  const auto contexts = parse_contexts(input(
      R"({"type":"query","query_id":"1","query":"q"}
{"type":"hit","query_id":"1","rank":1,"evidence_id":"a.md#0-3@0123456789ab","document_id":"a.md","text":"abc"}
{"type":"hit","query_id":"2","rank":1,"evidence_id":"b.md#0-3@0123456789ab","document_id":"b.md","text":"bcd"}
{"type":"hit","query_id":"2","rank":2,"evidence_id":"b.md#4-7@0123456789ab","document_id":"b.md","text":"efg"}
{"type":"context","query_id":"1","tokens":3,"evidence":[{"evidence_id":"c.md#0-1@0123456789ab","text":"c"}],"text":"c"}
{"type":"hit","query_id":"1","rank":2,"evidence_id":"a.md#5-6@0123456789ab","document_id":"a.md","text":"z"}
{"id":3,"contexts":["plain text","d.md#0-1@0123456789ab"]}
)"));
  REQUIRE(contexts);
  CHECK(contexts->at("1").size() == 1);
  CHECK(contexts->at("1")[0].text == "c");
  CHECK(contexts->at("2")[1].span.bytes == ByteSpan{4, 7});
  CHECK(contexts->at("3")[0].text == "plain text");
  CHECK(contexts->at("3")[1].span.document_id == "d.md");
}

TEST_CASE("faulty contexts are named with file and line") {
  CHECK(parse_contexts(input("\n{]\n")).error().message.starts_with("contexts.jsonl:2: "));
  CHECK(parse_contexts(input("{\"evidence\":[]}\n")).error().message ==
        "contexts.jsonl:1: no query_id: give each context the id of its query");
  CHECK(parse_contexts(input("{\"id\":1,\"evidence\":[]}\n{\"id\":1,\"evidence\":[]}\n"))
            .error()
            .message == "contexts.jsonl:2: query '1' has two contexts: keep one");
  CHECK(parse_contexts(input("{\"id\":1,\"evidence\":[{}]}\n"))
            .error()
            .message.starts_with("contexts.jsonl:1: evidence without a place"));
  CHECK(parse_contexts(input("{\"type\":\"end\",\"complete\":true}\n"))
            .error()
            .message.find("no evidence in it") != std::string::npos);
}

TEST_CASE("gold evidence of a case") {
  const auto gold =
      gold_evidence_of(R"({"gold_evidence":["a#0-1@0123456789ab",{"path":"b","lines":[1,1]}]})");
  REQUIRE(gold);
  CHECK(gold->size() == 2);
  CHECK(gold_evidence_of("{}")->empty());
  CHECK(gold_evidence_of("")->empty());
  CHECK_FALSE(gold_evidence_of(R"({"gold_evidence":[{}]})"));
}
