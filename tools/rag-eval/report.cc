#include <algorithm>
#include <filesystem>

#include "cli/shared_flags.h"
#include "core/files.h"
#include "core/text.h"
#include "rag-eval/commands.h"
#include "rag-eval/report_page.h"

// rag-eval report: one page of what the other commands have written.
namespace ragline {

namespace {

// The files of a folder that hold records, by name; a file is itself.
Result<std::vector<std::string>> record_files(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    if (path == "-" || !stat_file(path).is_directory) {
      out.push_back(path);
      continue;
    }
    std::vector<std::string> inside;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
      const std::string name = entry.path().string();
      for (const std::string_view end : {".jsonl", ".jsonl.gz", ".jsonl.zst"})
        if (name.ends_with(end)) inside.push_back(name);
    }
    if (error) return fail(ErrorKind::kIo, cat("cannot read '", path, "': ", error.message()));
    std::ranges::sort(inside);
    out.insert(out.end(), inside.begin(), inside.end());
  }
  return out;
}

// "results/bm25.jsonl.gz" is bm25.
std::string run_name(const std::string& path) {
  if (path == "-") return "standard input";
  const std::string file = path.substr(path.rfind('/') + 1);
  return file.substr(0, std::max<std::size_t>(file.find('.', 1), 1));
}

}  // namespace

Status run_report(ToolRun& run, BadRows& bad) {
  const Flags& flags = run.flags;
  RAGLINE_TRY(const std::vector<std::string> files, record_files(flags.positionals()));
  ReportData data;
  for (const std::string& file : files) {
    RAGLINE_TRY(const InputText text, InputText::open(file));
    RAGLINE_CHECK(data.add(text, run_name(file), &bad));
  }
  if (data.empty())
    return fail(ErrorKind::kData,
                "no results in it: give files that rag-eval wrote with --format jsonl");
  const std::string& output = flags.text("output");
  std::string format = flags.text("format");
  if (format.empty())
    format = output.ends_with(".md") ? "markdown" : output.ends_with(".json") ? "json" : "html";
  const std::string page = format == "markdown" ? markdown_report(data, flags.text("title"))
                           : format == "json"   ? json_report(data)
                                                : html_report(data, flags.text("title"));
  run.outcome.set_found();
  return output.empty() || output == "-" ? run.out.write(page)
                                         : write_file_atomically(output, page);
}

CommandSpec report_spec() {
  return {.description =
              {"Gathers the records that rag-eval's commands write with `--format jsonl` and "
               "makes one page of them: tables with intervals, bars by group, curves over "
               "cut-offs, differences by query, quality against time and cost, and failures. "
               "The page is one file without scripts, and needs no network.",
               "A file is a run, named after it, unless its records name their runs "
               "(`compare`). For curves give several cut-offs (`-m R@5,R@10,R@100`), for "
               "differences by query `--per-query`."},
          .positionals = {{.name = "RESULTS",
                           .help = "files of records, or folders of *.jsonl; - is standard input",
                           .required = true,
                           .repeatable = true,
                           .completion = Completion::kFile}},
          .flags = {{.name = "output",
                     .letter = 'o',
                     .type = FlagType::kText,
                     .value = "FILE",
                     .category = "Output",
                     .help = "write to FILE; else to standard output",
                     .completion = Completion::kFile},
                    {.name = "format",
                     .type = FlagType::kChoice,
                     .value = "FORMAT",
                     .choices = {"html", "markdown", "json"},
                     .category = "Output",
                     .help = "form of the page; else by FILE's ending, or html"},
                    {.name = "title",
                     .type = FlagType::kText,
                     .value = "TEXT",
                     .fallback = "Evaluation",
                     .category = "Output",
                     .help = "heading of the page"},
                    skip_bad_flag(),
                    quiet_flag()},
          .examples = {
              {"rag-eval report results/ -o report.html", "One page of all results in a folder."}}};
}

}  // namespace ragline
