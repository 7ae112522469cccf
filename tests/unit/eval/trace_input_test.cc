#include "eval/trace_input.h"

#include "catch.h"

using namespace ragline;

namespace {

std::vector<Trajectory> traces(std::string text) {
  auto found = parse_traces(InputText("trace.jsonl", std::move(text)));
  if (!found) FAIL(found.error().message);
  return *found;
}

std::string error(std::string text) {
  const auto found = parse_traces(InputText("trace.jsonl", std::move(text)));
  REQUIRE_FALSE(found);
  return found.error().message;
}

}  // namespace

TEST_CASE("times and costs below 0 are refused") {
  const auto found = parse_traces(InputText("t", "{\"trace_id\":\"1\",\"elapsed_ms\":-5}\n"));
  REQUIRE_FALSE(found);
  CHECK(found.error().message == "t:1: field 'elapsed_ms' is -5: give a number from 0 up");
}

TEST_CASE("trace records are calls, by trace and query") {
  const auto found = traces(
      R"({"type":"trace","trace_id":"t1","query_id":"q1","tool":"corpus-grep","arguments":{"pattern":"x"},"bytes_scanned":100,"files":3,"hits":0,"elapsed_ms":1.5,"round":1}
{"type":"end","complete":true}
{"type":"trace","trace_id":"t1","query_id":"q1","tool":"chat","kind":"model","input_tokens":10,"output_tokens":5,"reasoning_tokens":4,"cost":0.5,"retry":true,"error":"io"}
{"type":"trace","trace_id":"t1","query_id":"q2","tool":"corpus-read","evidence":["a.md#0-3@0123456789ab",{"path":"b.md","lines":[1,2],"indexed_at":"2026-01-01T00:00:00Z","modified_at":"2026-01-01T00:01:00Z"}]}
{"type":"trace","trace_id":"t2","tool":"rag-search"}
)");
  REQUIRE(found.size() == 3);
  CHECK(found[0].query_id == "q1");
  REQUIRE(found[0].calls.size() == 2);
  const Call& grep = found[0].calls[0];
  CHECK(grep.kind == CallKind::kScan);
  CHECK(grep.bytes_scanned == 100);
  CHECK(grep.hits == 0u);
  CHECK(grep.arguments == "{\"pattern\":\"x\"}");
  const Call& chat = found[0].calls[1];
  CHECK(chat.kind == CallKind::kModel);
  CHECK(chat.tokens == 15);
  CHECK(chat.reasoning_tokens == 4);
  CHECK(chat.retry);
  CHECK(chat.error == "io");
  CHECK(found[1].calls[0].kind == CallKind::kRead);
  CHECK(found[1].calls[0].evidence[0].span.bytes == ByteSpan{0, 3});
  CHECK(found[1].calls[0].evidence[1].lag_s == 60);
  CHECK(found[2].query_id == "t2");
}

TEST_CASE("a run's record sums up its steps, which add their evidence only") {
  const auto found = traces(
      R"({"type":"trace","trace_id":"t","step":1,"tool":"rag-search","elapsed_ms":2,"evidence":["a"]}
{"type":"trace","trace_id":"t","step":2,"tool":"rag-search","elapsed_ms":3,"evidence":["b"]}
{"type":"trace","trace_id":"t","step":0,"tool":"rag-search","elapsed_ms":6}
{"type":"trace","trace_id":"t","step":1,"tool":"corpus-read","evidence":["c"]}
{"type":"trace","trace_id":"t","step":0,"tool":"corpus-read","elapsed_ms":1}
)");
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].calls.size() == 2);
  CHECK(found[0].calls[0].elapsed_ms == 6);
  CHECK(found[0].calls[0].evidence.size() == 2);
  CHECK(found[0].calls[1].evidence[0].span.document_id == "c");
}

TEST_CASE("OpenTelemetry spans, attributes as a list or an object") {
  const auto found = traces(
      R"({"traceId":"t","spanId":"2","name":"execute_tool grep","startTimeUnixNano":"2000000000","endTimeUnixNano":"2005000000","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.name","value":{"stringValue":"grep"}},{"key":"error.type","value":{"stringValue":"timeout"}}]}
{"traceId":"t","spanId":"1","name":"chat gpt","startTimeUnixNano":1000000000,"endTimeUnixNano":1500000000,"attributes":{"gen_ai.usage.input_tokens":7,"gen_ai.usage.output_tokens":3,"ragline.query_id":"q"}}
{"traceId":"t","spanId":"0","name":"invoke_agent a","startTimeUnixNano":1,"endTimeUnixNano":9}
)");
  REQUIRE(found.size() == 2);  // one span names its query, the other does not
  CHECK(found[0].calls[0].tool == "grep");
  CHECK(found[0].calls[0].kind == CallKind::kScan);
  CHECK(found[0].calls[0].elapsed_ms == 5);
  CHECK(found[0].calls[0].error == "timeout");
  CHECK(found[1].query_id == "q");
  CHECK(found[1].calls[0].kind == CallKind::kModel);
  CHECK(found[1].calls[0].tokens == 10);
  CHECK(found[1].calls[0].elapsed_ms == 500);
}

TEST_CASE("faulty traces are named with file and line") {
  CHECK(error("{\"type\":\"trace\",\"tool\":\"x\"}\n") ==
        "trace.jsonl:1: no trace_id: give each call the id of its trace");
  CHECK(error("\n{]\n").starts_with("trace.jsonl:2: "));
  CHECK(error("{\"trace_id\":\"t\",\"kind\":\"dance\"}\n").find("give tool, scan, read or model") !=
        std::string::npos);
  CHECK(error("{\"trace_id\":\"t\",\"elapsed_ms\":\"x\"}\n").find("'elapsed_ms'") !=
        std::string::npos);
  CHECK(error("{\"trace_id\":\"t\",\"evidence\":[{\"path\":\"a\",\"indexed_at\":\"x\",\"modified_"
              "at\":\"y\"}]}\n")
            .starts_with("trace.jsonl:1: "));
  CHECK(error("{\"type\":\"end\"}\n").find("no call in it") != std::string::npos);
}
