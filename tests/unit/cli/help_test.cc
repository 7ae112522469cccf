#include "cli/help.h"

#include <simdjson.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "catch.h"
#include "core/files.h"
#include "core/text.h"
#include "sample.h"

using namespace ragline;

namespace {

std::vector<ToolSpec> samples() {
  ToolSpec with_default = sample_tool_with_commands();
  with_default.default_command = "build";
  return {sample_tool(), sample_tool_with_commands(), with_default};
}

std::string file_name(const std::string& name) {
  return cat("/tmp/ragline-cli-", static_cast<int>(getpid()), "-", name);
}

// Runs `command FILE` on the text, where the program is installed; what it printed on both outputs.
std::string output_of(const std::string& command, const std::string& text) {
  const std::string path = file_name("text");
  std::ofstream(path, std::ios::binary) << text;
  FILE* pipe = popen(cat(command, " ", path, " 2>&1").c_str(), "r");
  REQUIRE(pipe);
  std::string out;
  for (int c; (c = fgetc(pipe)) != EOF;) out += static_cast<char>(c);
  pclose(pipe);
  std::remove(path.c_str());
  return out;
}

bool is_installed(const std::string& program) {
  return std::system(cat("command -v ", program, " >/dev/null").c_str()) == 0;
}

// Every long and short spelling in the table, for the tool and its commands.
std::vector<std::string> all_long_names(const ToolSpec& spec) {
  std::vector<std::string> names;
  auto add = [&](const CommandSpec* command) {
    for (const Flag* flag : flags_of(spec, command))
      if (!flag->hidden)
        for (const auto& name : long_names(*flag)) names.push_back(name);
  };
  add(nullptr);
  for (const CommandSpec& command : spec.commands) add(&command);
  return names;
}

}  // namespace

TEST_CASE("help names every flag and fits the width") {
  const ToolSpec spec = sample_tool();
  for (const int width : {40, 60, 80, 100}) {
    const std::string help = help_text(spec, nullptr, width);
    for (const std::string_view line : split(help, '\n')) {
      INFO(line);
      CHECK(line.size() <= static_cast<std::size_t>(width));
    }
    for (const Flag* flag : flags_of(spec, nullptr)) {
      INFO(flag->name);
      CHECK((help.find(cat("--", flag->name)) != std::string::npos) != flag->hidden);
    }
  }
  const std::string help = help_text(spec, nullptr, 90);
  CHECK(help.starts_with(
      "rag-sample: find what is asked for\n\nusage: rag-sample [FLAGS] [QUERY] [PATH ...]\n"));
  CHECK(help.find("  -k, --top N             results per query (default 10)\n") !=
        std::string::npos);
  CHECK(help.find("colour text (auto|always|never; default auto)\n") != std::string::npos);
  CHECK(help.find("size of a chunk (tokens; also --length)\n") != std::string::npos);
  CHECK(
      help.find("\nExamples:\n  rag-sample -i docs.idx 'late refund'\n      Ask one question.\n") !=
      std::string::npos);
}

TEST_CASE("help of a tool with commands lists them, help of a command its flags") {
  const ToolSpec spec = sample_tool_with_commands();
  const std::string tool = help_text(spec, nullptr, 79);
  CHECK(tool.find("usage: rag-store COMMAND [FLAGS] ...") != std::string::npos);
  CHECK(tool.find("\nCommands:\n  build") != std::string::npos);
  const std::string build = help_text(spec, &spec.commands[0], 79);
  CHECK(build.find("usage: rag-store build [FLAGS] PATH ...") != std::string::npos);
  CHECK(build.find("--memory SIZE") != std::string::npos);
  CHECK(build.find("--index DIR") != std::string::npos);
}

TEST_CASE("the schema is JSON and has every flag with its type") {
  const std::string text = schema_json(sample_tool());
  simdjson::dom::parser parser;
  simdjson::dom::element function;
  REQUIRE(parser.parse(text).get(function) == simdjson::SUCCESS);
  CHECK(std::string_view(function["name"]) == "rag-sample");
  const auto properties = function["parameters"]["properties"];
  for (const auto& name : {"query", "path", "index", "top", "path-glob", "stem", "trec", "help"}) {
    INFO(name);
    CHECK(properties[name].error() == simdjson::SUCCESS);
  }
  CHECK(properties["generate"].error() != simdjson::SUCCESS);
  CHECK(std::string_view(properties["top"]["type"]) == "integer");
  CHECK(std::int64_t(properties["top"]["default"]) == 10);
  CHECK(std::int64_t(properties["top"]["minimum"]) == 1);
  CHECK(std::string_view(properties["k1"]["type"]) == "number");
  CHECK(std::string_view(properties["explain"]["type"]) == "boolean");
  CHECK(std::string_view(properties["path-glob"]["type"]) == "array");
  CHECK(std::string_view(properties["color"]["enum"].at(0)) == "auto");
  CHECK(std::string_view(properties["memory"]["default"]) == "512M");
}

TEST_CASE("help of a default command names the others") {
  ToolSpec spec = sample_tool_with_commands();
  spec.default_command = "build";
  const std::string build = help_text(spec, &spec.commands[0], 79);
  CHECK(build.find("usage: rag-store [build] [FLAGS] PATH ...") != std::string::npos);
  CHECK(build.find("Commands:\n  info") != std::string::npos);
  CHECK(help_text(spec, &spec.commands[1], 79).find("Commands:") == std::string::npos);
}

TEST_CASE("the schema of a tool with commands is a list of functions") {
  const std::string text = schema_json(sample_tool_with_commands());
  simdjson::dom::parser parser;
  simdjson::dom::array functions;
  REQUIRE(parser.parse(text).get(functions) == simdjson::SUCCESS);
  REQUIRE(functions.size() == 2);
  CHECK(std::string_view(functions.at(0)["name"]) == "rag-store-build");
  CHECK(std::string_view(functions.at(0)["parameters"]["required"].at(0)) == "path");
}

TEST_CASE("man page and completions name every flag") {
  for (const ToolSpec& spec : samples()) {
    const std::string man = man_page(spec), bash = bash_completion(spec),
                      zsh = zsh_completion(spec), fish = fish_completion(spec);
    for (const auto& name : all_long_names(spec)) {
      INFO(name);
      std::string roff = "\\-\\-";
      for (const char c : name) append(roff, c == '-' ? "\\-" : std::string(1, c));
      CHECK(man.find(cat("\\fB", roff, "\\fR")) != std::string::npos);
      CHECK(bash.find(cat("--", name)) != std::string::npos);
      CHECK(zsh.find(cat("--", name)) != std::string::npos);
      CHECK(fish.find(cat(" -l ", name)) != std::string::npos);
    }
    for (const std::string& text : {man, bash, zsh, fish})
      CHECK(text.find("generate") == text.rfind("generate"));
  }
}

TEST_CASE("groff formats the man page without a warning") {
  if (!is_installed("groff")) return;
  for (const ToolSpec& spec : samples()) {
    const std::string man = man_page(spec);
    CHECK(output_of("groff -man -Tutf8 -ww -z", man) == "");
    const std::string page = output_of("groff -man -Tascii -P-cbou", man);
    if (spec.commands.empty()) {
      CHECK(page.find(".dots and it's 5\\6.") != std::string::npos);
      CHECK(page.find("rag-index(1), rag-chunk(1)") != std::string::npos);
      CHECK(page.find("rag-sample -i docs.idx 'late refund'") != std::string::npos);
    }
  }
}

TEST_CASE("the shells accept their completions") {
  for (const ToolSpec& spec : samples()) {
    if (is_installed("bash")) CHECK(output_of("bash -n", bash_completion(spec)) == "");
    if (is_installed("zsh")) CHECK(output_of("zsh -n", zsh_completion(spec)) == "");
    if (is_installed("fish")) CHECK(output_of("fish --no-execute", fish_completion(spec)) == "");
  }
}

TEST_CASE("fish completes flags, choices and commands") {
  if (!is_installed("fish")) return;
  auto completed = [](const ToolSpec& spec, const std::string& line) {
    return output_of("fish --no-config", cat(fish_completion(spec), "complete -C '", line, "'\n"));
  };
  CHECK(completed(sample_tool(), "rag-sample --expl") ==
        "--explain\tshow how each score came about\n");
  CHECK(completed(sample_tool(), "rag-sample --color n").starts_with("never"));
  CHECK(completed(sample_tool_with_commands(), "rag-store b") == "build\tadd files\n");
  CHECK(completed(sample_tool_with_commands(), "rag-store build --mem").starts_with("--memory"));
  CHECK(completed(sample_tool_with_commands(), "rag-store info --mem").empty());
}

TEST_CASE("bash completes flags, choices and commands") {
  if (!is_installed("bash")) return;
  auto completed = [](const ToolSpec& spec, const std::string& words, int at) {
    const std::string script =
        cat(bash_completion(spec), "\ncompopt() { :; }\nCOMP_WORDS=(", words, ")\nCOMP_CWORD=", at,
            "\n", spec.name == "rag-sample" ? "_rag_sample_complete" : "_rag_store_complete",
            "\necho \"${COMPREPLY[*]}\"\n");
    return output_of("bash", script);
  };
  CHECK(completed(sample_tool(), "rag-sample --expl", 1) == "--explain\n");
  CHECK(completed(sample_tool(), "rag-sample --color a", 2) == "auto always\n");
  CHECK(completed(sample_tool(), "rag-sample --color = n", 3) == "never\n");
  CHECK(completed(sample_tool(), "rag-sample --color =", 2) == "auto always never\n");
  CHECK(completed(sample_tool_with_commands(), "rag-store b", 1) == "build\n");
  CHECK(completed(sample_tool_with_commands(), "rag-store build --mem", 2) == "--memory\n");
  CHECK(completed(sample_tool_with_commands(), "rag-store info --mem", 2) == "\n");
  ToolSpec with_default = sample_tool_with_commands();
  with_default.default_command = "build";
  CHECK(completed(with_default, "rag-store --mem", 1) == "--memory\n");
  CHECK(completed(with_default, "rag-store info --mem", 2) == "\n");
  CHECK(completed(with_default, "rag-store inf", 1).ends_with("info\n"));
}
