#pragma once
#include "cli/shared_flags.h"
#include "cli/spec.h"

// Two invented tools that use every kind of flag, for the tests of this folder.
namespace ragline {

inline ToolSpec sample_tool() {
  return {.name = "rag-sample",
          .summary = "find what is asked for",
          .description = {"Reads an index and writes `hit` records. A line may begin so:",
                          ".dots and it's 5\\6."},
          .positionals = {{.name = "QUERY", .help = "what to look for", .content = true},
                          {.name = "PATH",
                           .help = "files to look in",
                           .repeatable = true,
                           .completion = Completion::kFile}},
          .flags = {index_flag(),
                    top_flag(),
                    filter_flag(),
                    path_glob_flag(),
                    queries_flag(),
                    format_flag(),
                    color_flag(),
                    explain_flag(),
                    threads_flag(),
                    memory_flag(),
                    timeout_flag(),
                    files_from_flag(),
                    files0_from_flag(),
                    quiet_flag(),
                    verbose_flag(),
                    trace_flag(),
                    trace_content_flag(),
                    allow_partial_flag(),
                    {.name = "k1",
                     .type = FlagType::kNumber,
                     .value = "X",
                     .least = 0,
                     .most = 10,
                     .fallback = "0.9",
                     .category = "Ranking",
                     .help = "term frequency saturation"},
                    {.name = "size",
                     .aliases = {"length"},
                     .type = FlagType::kInteger,
                     .value = "N",
                     .unit = "tokens",
                     .least = 8,
                     .category = "Ranking",
                     .help = "size of a chunk"},
                    {.name = "stem",
                     .negation = "no-stem",
                     .environment = "RAGLINE_STEM",
                     .category = "Ranking",
                     .help = "match other forms of a word [it's: so]"},
                    {.name = "trec",
                     .type = FlagType::kText,
                     .value = "TAG",
                     .help = "TREC run lines",
                     .conflicts = {"format"},
                     .content = true}},
          .examples = {{"rag-sample -i docs.idx 'late refund'", "Ask one question."}},
          .environment = {{"RAGLINE_CACHE", "Where things are kept."}},
          .see_also = {"rag-index(1)", "rag-chunk(1)"}};
}

inline ToolSpec sample_tool_with_commands() {
  Flag index = index_flag();
  index.required = true;
  return {.name = "rag-store",
          .summary = "keep an index",
          .flags = {index, quiet_flag()},
          .commands = {{.name = "build",
                        .summary = "add files",
                        .description = {"Reads files."},
                        .positionals = {{.name = "PATH",
                                         .help = "what to read",
                                         .required = true,
                                         .repeatable = true,
                                         .completion = Completion::kFile}},
                        .flags = {memory_flag(), skip_bad_flag()},
                        .examples = {{"rag-store build -i docs.idx docs/", "Index a folder."}}},
                       {.name = "info", .summary = "show what is in it", .flags = {format_flag()}}},
          .see_also = {"rag-search(1)"}};
}

// Variables of one test, in place of getenv.
inline std::vector<std::pair<std::string, std::string>>& test_variables() {
  static std::vector<std::pair<std::string, std::string>> variables;
  return variables;
}
inline const char* test_variable(const char* name) {
  for (const auto& [key, value] : test_variables())
    if (key == name) return value.c_str();
  return nullptr;
}

}  // namespace ragline
