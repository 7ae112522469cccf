#include "cli/tool.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "catch.h"
#include "cli/paths.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "sample.h"

using namespace ragline;

namespace {

struct Ran {
  int status;
  std::string out, err;
};

std::string drain(int descriptor) {
  std::string text;
  std::array<char, 4096> bytes;
  for (ssize_t got; (got = read(descriptor, bytes.data(), bytes.size())) > 0;)
    text.append(bytes.data(), static_cast<std::size_t>(got));
  close(descriptor);
  return text;
}

// run_tool in a child, with pipes for its outputs (short texts only). `out` replaces standard
// output when it is given.
Ran run(const std::vector<std::string>& arguments, ToolBody body, int out = -1,
        const ToolSpec& spec = sample_tool()) {
  int outs[2], errs[2];
  REQUIRE((pipe(outs) == 0 && pipe(errs) == 0));
  const pid_t child = fork();
  if (child == 0) {
    dup2(out < 0 ? outs[1] : out, 1);
    dup2(errs[1], 2);
    for (const int end : {outs[0], outs[1], errs[0], errs[1]}) close(end);
    std::vector<std::string> words{spec.name};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    _exit(run_tool(static_cast<int>(argv.size()), argv.data(), spec, body));
  }
  close(outs[1]);
  close(errs[1]);
  Ran ran{0, drain(outs[0]), drain(errs[0])};
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

Status find_one(ToolRun& run) {
  RAGLINE_CHECK(run.out.write(cat(run.format(), ":", run.flags.text("index"), "\n")));
  run.outcome.set_found();
  run.note("a note");
  run.detail("a detail");
  return {};
}
Status find_none(ToolRun&) { return {}; }
Status fail_late(ToolRun& run) {
  RAGLINE_CHECK(run.out.write("half\n"));
  return fail(ErrorKind::kData, "x.jsonl:3: not JSON: one object a line");
}
Status write_for_ever(ToolRun& run) {
  for (;;) RAGLINE_CHECK(run.out.write(std::string(1000, 'x')));
}
Status hit_limit(ToolRun& run) {
  run.outcome.set_found();
  run.outcome.set_limit_hit();
  return {};
}

}  // namespace

TEST_CASE("a run: records on standard output, notes on standard error") {
  const Ran ran = run({"-i", "x"}, find_one);
  CHECK(ran.status == 0);
  CHECK(ran.out == "jsonl:x\n");
  CHECK(ran.err == "rag-sample: a note\n");
  CHECK(run({"-q", "--format", "text"}, find_one).err == "");
  CHECK(run({"--format", "text", "-i", "x"}, find_one).out == "text:x\n");
  CHECK(run({"-v"}, find_one).err == "rag-sample: a note\nrag-sample: a detail\n");
  CHECK(run({}, find_none).status == 1);
  CHECK(run({}, hit_limit).status == 3);
  CHECK(run({"--allow-partial"}, hit_limit).status == 0);
}

TEST_CASE("what was written before an error is kept") {
  const Ran ran = run({}, fail_late);
  CHECK(ran.status == 2);
  CHECK(ran.out == "half\n");
  CHECK(ran.err == "rag-sample: x.jsonl:3: not JSON: one object a line\n");
}

TEST_CASE("usage errors are status 2 with a hint") {
  const Ran ran = run({"--top", "0"}, find_one);
  CHECK(ran.status == 2);
  CHECK(ran.out == "");
  CHECK(ran.err ==
        "rag-sample: --top 0: must be at least 1\nrag-sample: try 'rag-sample --help'\n");
}

TEST_CASE("requests are answered on standard output") {
  CHECK(run({"--version"}, find_one).out == cat("rag-sample ", RAGLINE_VERSION, "\n"));
  CHECK(run({"--help"}, find_one).out.starts_with("rag-sample: find what is asked for\n"));
  CHECK(run({"--schema"}, find_one).out.starts_with("{\"name\":\"rag-sample\""));
  CHECK(run({"--generate", "man"}, find_one).out.find(".TH \"RAG\\-SAMPLE\" 1") !=
        std::string::npos);
  CHECK(run({"--generate", "fish"}, find_one).out.find("complete -c rag-sample") !=
        std::string::npos);
  CHECK(run({"build", "--help"}, find_one, -1, sample_tool_with_commands())
            .out.starts_with("rag-store build: add"));
}

TEST_CASE("a reader that goes away ends the run quietly") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[0]);
  const Ran ran = run({}, write_for_ever, ends[1]);
  close(ends[1]);
  CHECK(ran.status == 0);
  CHECK(ran.err == "");
}

TEST_CASE("an interrupted run is status 130") {
  const Ran ran = run({}, [](ToolRun&) -> Status {
    raise(SIGINT);
    return interrupted() ? fail(ErrorKind::kInterrupted, "interrupted") : Status();
  });
  CHECK(ran.status == 130);
  CHECK(ran.err == "rag-sample: interrupted\n");
}

TEST_CASE("on a terminal: text, written at once") {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) return;
  const int end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  REQUIRE(end >= 0);
  CHECK(run({"-q", "-i", "x"}, find_one, end).status == 0);
  std::array<char, 100> bytes{};
  const auto got = read(terminal, bytes.data(), bytes.size());
  CHECK(std::string(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))) ==
        "text:x\r\n");
  close(end);
  close(terminal);
}

TEST_CASE("a full disk behind standard output is an error") {
  const int full = open("/dev/full", O_WRONLY);
  if (full < 0) return;
  const std::string message = "rag-sample: standard output: No space left on device\n";
  for (const ToolBody body : {find_one, write_for_ever}) {
    const Ran ran = run({"-q"}, body, full);
    CHECK(ran.status == 2);
    CHECK(ran.err == message);
  }
  CHECK(run({"--help"}, find_one, full).status == 2);
  close(full);
}

TEST_CASE("paths come from the command line and from lists") {
  const std::string list = cat("/tmp/ragline-list-", static_cast<int>(getpid()));
  std::ofstream(list, std::ios::binary) << "b\n\nc d\r\ne" << '\0' << "f\n";
  const ToolSpec spec = sample_tool();
  auto paths = [&](const std::vector<std::string>& arguments) {
    const auto flags = parse_flags(spec, arguments, test_variable);
    REQUIRE(flags);
    return input_paths(*flags, 1);
  };
  const auto lines = paths({"query", "a", "--files-from", list});
  REQUIRE(lines);
  CHECK(*lines == std::vector<std::string>{"a", "b", "c d\r", std::string("e\0f", 3)});
  const auto nul = paths({"query", "--files0-from", list});
  REQUIRE(nul);
  CHECK(*nul == std::vector<std::string>{"b\n\nc d\r\ne", "f\n"});
  const auto missing = paths({"query", "--files-from", "/nowhere"});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.find("/nowhere") != std::string::npos);
  std::remove(list.c_str());
}
