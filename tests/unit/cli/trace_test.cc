#include "cli/trace.h"

#include <simdjson.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "catch.h"
#include "core/files.h"
#include "core/text.h"
#include "sample.h"

using namespace ragline;

namespace {

struct TraceFile {
  std::string path = cat("/tmp/ragline-trace-", static_cast<int>(getpid()), ".jsonl");
  ~TraceFile() { std::remove(path.c_str()); }
  std::vector<std::string> lines() const {
    auto file = read_file(path);
    REQUIRE(file);
    std::vector<std::string> lines;
    for (const auto line : split((*file)->bytes(), '\n'))
      if (!line.empty()) lines.emplace_back(line);
    return lines;
  }
};

void run(const TraceFile& file, const std::vector<std::string>& more) {
  static const ToolSpec spec = sample_tool();
  std::vector<std::string> arguments{"--trace",   file.path,      "-k",   "5",
                                     "--explain", "secret words", "docs/"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  auto flags = parse_flags(spec, arguments, test_variable);
  REQUIRE(flags);
  auto trace = Trace::open(spec, *flags, test_variable);
  REQUIRE(trace);
  REQUIRE(trace->is_on());
  TraceStep step;
  step.query = "secret words";
  step.route = "bm25";
  step.hits = 3;
  REQUIRE(trace->step(step));
  TraceStep summary;
  summary.counts = {{"queries", 1}};
  summary.error = "limit";
  REQUIRE(trace->finish(summary, 3));
}

}  // namespace

TEST_CASE("a trace has one record a step and one for the run") {
  TraceFile file;
  test_variables() = {{"TRACEPARENT", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}};
  run(file, {});
  test_variables().clear();
  const auto lines = file.lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with(
      R"({"type":"trace","trace_id":"4bf92f3577b34da6a3ce929d0e0e4736","step":1,"tool":"rag-sample","arguments":{)"));
  CHECK(lines[0].find("secret") == std::string::npos);
  CHECK(lines[0].find("docs/") != std::string::npos);
  simdjson::dom::parser parser;
  simdjson::dom::element record;
  REQUIRE(parser.parse(lines[0]).get(record) == simdjson::SUCCESS);
  CHECK(std::string_view(record["arguments"]["top"]) == "5");
  CHECK(bool(record["arguments"]["explain"]));
  CHECK(record["arguments"]["color"].error() != simdjson::SUCCESS);  // a default
  CHECK(std::int64_t(record["hits"]) == 3);
  CHECK(double(record["elapsed_ms"]) >= 0);
  REQUIRE(parser.parse(lines[1]).get(record) == simdjson::SUCCESS);
  CHECK(std::int64_t(record["step"]) == 0);
  CHECK(std::int64_t(record["exit_status"]) == 3);
  CHECK(std::int64_t(record["queries"]) == 1);
  CHECK(std::string_view(record["error"]) == "limit");
  struct stat info{};
  REQUIRE(stat(file.path.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
}

TEST_CASE("content is traced only when asked for, and runs are appended") {
  TraceFile file;
  run(file, {"--trace-content"});
  run(file, {});
  const auto lines = file.lines();
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].find(R"("query":"secret words")") != std::string::npos);
  CHECK(lines[2].find("secret") == std::string::npos);
  CHECK(lines[0].substr(0, 60) != lines[2].substr(0, 60));  // each its own random trace id
}

TEST_CASE("trace ids come from a well-formed TRACEPARENT only") {
  CHECK(trace_id_of("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01") ==
        "4bf92f3577b34da6a3ce929d0e0e4736");
  CHECK(trace_id_of("").empty());
  CHECK(trace_id_of("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01").empty());
  CHECK(trace_id_of("00-00000000000000000000000000000000-00f067aa0ba902b7-01").empty());
  CHECK(trace_id_of("00-4bf92f3577b34da6a3ce929d0e0e4736-01").empty());
}

TEST_CASE("a trace that cannot be opened is an error, no trace is none") {
  const ToolSpec spec = sample_tool();
  auto flags = parse_flags(spec, {"--trace", "/nowhere/trace"}, test_variable);
  REQUIRE(flags);
  auto trace = Trace::open(spec, *flags, test_variable);
  REQUIRE_FALSE(trace);
  CHECK(trace.error().message ==
        "cannot append to trace '/nowhere/trace': No such file or directory");
  flags = parse_flags(spec, {}, test_variable);
  auto none = Trace::open(spec, *flags, test_variable);
  REQUIRE(none);
  CHECK_FALSE(none->is_on());
  CHECK(none->step({}));
  CHECK(none->finish({}, 0));
}
