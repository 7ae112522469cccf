#include "cli/flags.h"

#include "catch.h"
#include "sample.h"

using namespace ragline;

namespace {

const ToolSpec& tool() {
  static const ToolSpec spec = sample_tool();
  return spec;
}
const ToolSpec& store() {
  static const ToolSpec spec = sample_tool_with_commands();
  return spec;
}

Flags parsed(const std::vector<std::string>& arguments, const ToolSpec& spec = tool()) {
  auto flags = parse_flags(spec, arguments, test_variable);
  INFO((flags ? "" : flags.error().message));
  REQUIRE(flags);
  return *flags;
}

std::string message(const std::vector<std::string>& arguments, const ToolSpec& spec = tool()) {
  auto flags = parse_flags(spec, arguments, test_variable);
  REQUIRE_FALSE(flags);
  CHECK(flags.error().kind == ErrorKind::kUsage);
  return flags.error().message;
}

}  // namespace

TEST_CASE("the sample tables are sound") {
  CHECK(spec_faults(tool()) == std::vector<std::string>{});
  CHECK(spec_faults(store()) == std::vector<std::string>{});
}

TEST_CASE("a table's faults are found") {
  ToolSpec spec = sample_tool();
  spec.flags.push_back({.name = "top", .letter = 'i', .help = std::string(61, 'x')});
  spec.flags.push_back({.name = "odd",
                        .type = FlagType::kInteger,
                        .value = "N",
                        .fallback = "x",
                        .help = "odd",
                        .conflicts = {"nowhere"}});
  const auto faults = spec_faults(spec);
  CHECK(faults == std::vector<std::string>{"rag-sample --top: help must have 1 to 60 characters",
                                           "rag-sample: 'top' is used twice",
                                           "rag-sample: 'i' is used twice",
                                           "rag-sample --odd: the default is not valid",
                                           "rag-sample --odd: no flag 'nowhere'"});
}

TEST_CASE("every way to write a value") {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--top", "5"},
                                                    {"--top=5"},
                                                    {"-k", "5"},
                                                    {"-k5"},
                                                    {"-vk5"},
                                                    {"-k1", "-vk", "5"}})
    CHECK(parsed(arguments).integer("top") == 5);
  CHECK(parsed({"--filter", "-x"}).text("filter") == "-x");
  CHECK(parsed({"--filter="}).has("filter"));
  CHECK(parsed({"--filter=a=b"}).text("filter") == "a=b");
  CHECK(parsed({"--length", "9"}).integer("size") == 9);
}

TEST_CASE("every type of value") {
  const Flags flags =
      parsed({"--k1", "1.25", "--memory", "64M", "--timeout=1500ms", "--color", "never",
              "--explain", "--path-glob", "*.md", "--path-glob", "!x*", "--filter", "a = 1"});
  CHECK(flags.number("k1") == 1.25);
  CHECK(flags.size("memory") == 64u << 20);
  CHECK(flags.duration_ms("timeout") == 1500);
  CHECK(flags.text("color") == "never");
  CHECK(flags.on("explain"));
  CHECK(flags.list("path-glob") == std::vector<std::string>{"*.md", "!x*"});
  CHECK(flags.text("filter") == "a = 1");
}

TEST_CASE("defaults, and nothing given") {
  const Flags flags = parsed({});
  CHECK(flags.integer("top") == 10);
  CHECK(flags.has("top"));
  CHECK_FALSE(flags.given("top"));
  CHECK_FALSE(flags.has("threads"));
  CHECK(flags.integer("threads") == 0);
  CHECK_FALSE(flags.on("explain"));
  CHECK(flags.text("index").empty());
  CHECK(flags.list("path-glob").empty());
  CHECK(flags.positionals().empty());
  CHECK(flags.knows("top"));
  CHECK_FALSE(flags.knows("bottom"));
}

TEST_CASE("the last value wins, switches turn off and count") {
  CHECK(parsed({"-k", "3", "--top", "4"}).integer("top") == 4);
  CHECK(parsed({"--stem", "--no-stem"}).on("stem") == false);
  CHECK(parsed({"--no-stem", "--stem"}).on("stem"));
  CHECK(parsed({"-vvq"}).count("verbose") == 2);
  CHECK(parsed({"-vvq"}).on("quiet"));
}

TEST_CASE("positionals mix with flags, -- ends the flags, - is a positional") {
  const Flags flags = parsed({"late refund", "-k", "2", "docs/", "-", "--", "--top"});
  CHECK(flags.positionals() == std::vector<std::string>{"late refund", "docs/", "-", "--top"});
  CHECK(flags.integer("top") == 2);
}

TEST_CASE("bad values say what would be right") {
  CHECK(message({"--top", "0"}) == "--top 0: must be at least 1");
  CHECK(message({"-k0"}) == "-k 0: must be at least 1");
  CHECK(message({"--top", "ten"}) == "--top ten: must be a whole number");
  CHECK(message({"--top="}) == "--top '': must be a whole number");
  CHECK(message({"--top", "99999999999999999999"}) ==
        "--top 99999999999999999999: must be a whole number");
  CHECK(message({"--k1", "-1"}) == "--k1 -1: must be at least 0");
  CHECK(message({"--k1", "nan"}) == "--k1 nan: must be a number");
  CHECK(message({"--k1", "11"}) == "--k1 11: must be at most 10");
  CHECK(message({"--size", "7"}) == "--size 7: must be at least 8 tokens");
  CHECK(message({"--memory", "5X"}) == "--memory 5X: must be a size such as 64K, 512M or 2G");
  CHECK(message({"--memory", "1M"}) == "--memory 1M: must be at least 16M");
  CHECK(message({"--timeout", "5"}) == "--timeout 5: must be a duration such as 250ms, 30s or 5m");
  CHECK(message({"--timeout", "0s"}) == "--timeout 0s: must be at least 1ms");
  CHECK(message({"--color", "alway"}) ==
        "--color alway: must be one of auto, always, never: did you mean always?");
  CHECK(message({"--color", "blue"}) == "--color blue: must be one of auto, always, never");
  CHECK(message({"--index", ""}) == "--index '': is empty: give a DIR");
  CHECK(message({"--index"}) == "--index: needs a DIR after it");
  CHECK(message({"--explain=yes"}) == "--explain: takes no value");
}

// qmd issues 536 and 684: a mistyped flag was ignored and the wrong thing was done.
TEST_CASE("qmd_536_unknown_flags_are_errors") {
  CHECK(message({"--tpo", "5"}) == "unknown flag --tpo: did you mean --top?");
  CHECK(message({"--explian"}) == "unknown flag --explian: did you mean --explain?");
  CHECK(message({"--zzzzzz"}) == "unknown flag --zzzzzz");
  CHECK(message({"-Z"}) == "unknown flag -Z");
  CHECK(message({"-vZ"}) == "unknown flag -Z in -vZ: if it is no flag, put -- before it");
  CHECK(message({"-index", "x"}) == "unknown flag -index: did you mean --index?");
  CHECK(message({"-draft refund"}) == "'-draft refund' begins like a flag: put -- before it");
}

TEST_CASE("abbreviations are not accepted") {
  CHECK(message({"--ind", "x"}) == "unknown flag --ind: did you mean --index?");
}

TEST_CASE("conflicts, missing and extra arguments") {
  CHECK(message({"--trec", "t", "--format", "text"}) ==
        "--trec and --format cannot be used together");
  CHECK(message({"build", "-i", "x"}, store()) == "PATH is missing: what to read");
  CHECK(message({"info", "-i", "x", "more"}, store()) == "unexpected argument 'more'");
  CHECK(message({"info"}, store()) == "--index is missing: give --index DIR or RAGLINE_INDEX");
}

TEST_CASE("the environment stands between command line and default") {
  test_variables() = {{"RAGLINE_INDEX", "env.idx"}, {"RAGLINE_STEM", "1"}};
  CHECK(parsed({}).text("index") == "env.idx");
  CHECK_FALSE(parsed({}).given("index"));
  CHECK(parsed({"-i", "line.idx"}).text("index") == "line.idx");
  CHECK(parsed({}).on("stem"));
  CHECK_FALSE(parsed({"--no-stem"}).on("stem"));
  test_variables() = {{"RAGLINE_STEM", "off"}, {"RAGLINE_INDEX", ""}};
  CHECK_FALSE(parsed({}).on("stem"));
  CHECK_FALSE(parsed({}).has("index"));
  ToolSpec spec = sample_tool();
  spec.flags[1].environment = "RAGLINE_TOP";
  test_variables() = {{"RAGLINE_TOP", "none"}};
  CHECK(message({}, spec) == "RAGLINE_TOP none: must be a whole number");
  test_variables().clear();
}

TEST_CASE("commands have flags of their own and share the tool's") {
  const Flags flags = parsed({"-q", "build", "--memory", "1G", "-i", "x.idx", "a", "b"}, store());
  CHECK(flags.is_command("build"));
  CHECK(flags.on("quiet"));
  CHECK(flags.size("memory") == 1u << 30);
  CHECK(flags.positionals() == std::vector<std::string>{"a", "b"});
  CHECK_FALSE(parsed({"info", "-i", "x"}, store()).has("memory"));  // another command's flag
  CHECK(message({}, store()) == "a command is needed: build, info");
  CHECK(message({"bild"}, store()) == "unknown command 'bild': did you mean build?");
  CHECK(message({"zzzzzz"}, store()) == "unknown command 'zzzzzz': give one of build, info");
  CHECK(message({"--memory", "1G", "build"}, store()) ==
        "unknown flag --memory: build has it, after the command's name");
}

TEST_CASE("requests win over what follows them") {
  CHECK(parsed({"--help", "--nonsense"}).request() == Request::kHelp);
  CHECK(parsed({"-h"}).request() == Request::kHelp);
  CHECK(parsed({"--version"}).request() == Request::kVersion);
  CHECK(parsed({"--schema"}, store()).request() == Request::kSchema);
  CHECK(parsed({"build", "--help"}, store()).is_command("build"));
  CHECK(parsed({"--generate", "man"}).text("generate") == "man");
  CHECK(parsed({"--filter", "--help"}).request() == Request::kRun);
}

TEST_CASE("a default command needs no name") {
  ToolSpec spec = sample_tool_with_commands();
  spec.default_command = "build";
  CHECK(spec_faults(spec).empty());
  const Flags flags = parsed({"-i", "x", "--memory", "64M", "docs/", "info"}, spec);
  CHECK(flags.is_command("build"));
  CHECK(flags.size("memory") == 64 << 20);
  CHECK(flags.positionals() == std::vector<std::string>{"docs/", "info"});
  CHECK(parsed({"info", "-i", "x"}, spec).is_command("info"));
  CHECK(parsed({"build", "-i", "x", "docs/"}, spec).positionals().size() == 1);
  CHECK(parsed({"--help"}, spec).is_command("build"));
  spec.default_command = "built";
  CHECK(spec_faults(spec) == std::vector<std::string>{"rag-store: no command 'built'"});
}

TEST_CASE("nearest names") {
  const std::vector<std::string> names{"index", "top", "no-progress", "explain"};
  CHECK(nearest_name("idnex", names) == "index");
  CHECK(nearest_name("noprogress", names) == "no-progress");
  CHECK(nearest_name("exp", names) == "explain");
  CHECK(nearest_name("x", names).empty());
  CHECK(nearest_name("something", names).empty());
}
