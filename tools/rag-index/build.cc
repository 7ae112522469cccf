#include <algorithm>
#include <thread>

#include "analysis/language.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "core/files.h"
#include "core/text.h"
#include "index/build.h"
#include "rag-index/commands.h"
#include "record/writer.h"
#include "search/passage_embedder.h"

namespace ragline {

namespace {

Result<BuildOptions> options_of(const Flags& flags) {
  BuildOptions options;
  options.writer.memory = flags.size("memory");
  options.writer.threads = static_cast<int>(flags.has("threads") ? flags.integer("threads") : std::max(1u, std::thread::hardware_concurrency()));
  options.writer.wait_ms = static_cast<int>(std::min<std::int64_t>(flags.duration_ms("wait"), INT32_MAX));
  if (flags.given("hidden")) options.hidden = flags.on("hidden");
  if (flags.given("no-ignore")) options.ignore_files = !flags.on("no-ignore");
  if (flags.given("follow")) options.follow_links = flags.on("follow");
  if (flags.given("max-filesize")) options.max_file_size = flags.size("max-filesize");
  options.globs = flags.list("path-glob");
  options.source.parse.trust_labels = flags.on("trust-labels");
  options.source.skip_bad = flags.on("skip-bad");
  if (flags.has("size")) options.chunk_size = static_cast<std::uint32_t>(flags.integer("size"));
  if (flags.has("overlap")) options.chunk_overlap = static_cast<std::uint32_t>(flags.integer("overlap"));
  if (flags.has("language")) {
    options.language = flags.text("language");
    const auto language = language_from_code(*options.language);
    if (*options.language != "auto" && !language)
      return fail(ErrorKind::kUsage, cat("--language ", *options.language, ": no language we know: give auto, or a code such as en, de or zh"));
    if (language) options.language = language_code(*language);
  }
  options.root = flags.text("root");
  options.governed = flags.on("governed");
  options.labels = flags.text("labels");
  options.allow_mass_delete = flags.on("allow-mass-delete");
  options.full = flags.on("full");
  return options;
}

Result<std::vector<std::string>> roots_of(const Flags& flags) {
  RAGLINE_TRY(std::vector<std::string> roots, input_paths(flags));
  for (const char* list : {"files-from", "files0-from"})
    if (roots.empty() && flags.has(list))
      return fail(ErrorKind::kUsage, cat("--", list, " ", flags.text(list), ": the list is empty: give paths, or leave it out to go over the recorded roots"));
  if (std::find(roots.begin(), roots.end(), "-") != roots.end())
    RAGLINE_CHECK(need_piped_input("rag-chunk docs/ | rag-index build -i docs.idx -"));
  return roots;
}

std::uint64_t bytes_of(const Manifest& manifest) {
  std::uint64_t bytes = 0;
  for (const SegmentEntry& segment : manifest.segments) bytes += segment.bytes;
  return bytes;
}

// "added 12, updated 1, deleted 0, unchanged 40; skipped 3 (binary 2, hidden 1); 4 segments, 1.2 MB"
std::string summary(const BuildReport& report, std::uint64_t bytes) {
  std::string text = cat("added ", count_text(report.added), ", updated ", count_text(report.updated), ", deleted ",
                         count_text(report.deleted), ", unchanged ", count_text(report.unchanged));
  std::uint64_t skipped = 0;
  std::string reasons;
  for (const auto& [reason, count] : report.skipped) {
    skipped += count;
    append(reasons, reasons.empty() ? "" : ", ", reason, " ", count_text(count));
  }
  if (skipped > 0) append(text, "; skipped ", count_text(skipped), " (", reasons, ")");
  append(text, "; ", report.segments, report.segments == 1 ? " segment, " : " segments, ", size_text(bytes));
  return text;
}

std::vector<std::string> warnings_of(const BuildReport& report) {
  std::vector<std::string> warnings;
  for (const std::string& example : report.unreadable_examples) warnings.push_back(cat("cannot read ", example));
  if (report.unreadable > report.unreadable_examples.size())
    warnings.push_back(cat(count_text(report.unreadable - report.unreadable_examples.size()), " more could not be read"));
  if (report.bad_rows > 0) warnings.push_back(cat(count_text(report.bad_rows), " bad rows left out; the first: ", report.first_bad));
  if (report.vectors_ignored > 0)
    warnings.push_back(cat(count_text(report.vectors_ignored), " chunks brought a vector, which --model none leaves out"));
  return warnings;
}

End end_record(const BuildReport& report, std::vector<std::string> warnings, std::uint64_t bytes) {
  End end;
  end.counts = {{"added", report.added},   {"updated", report.updated}, {"deleted", report.deleted},
                {"unchanged", report.unchanged}, {"chunks", report.chunks},   {"files", report.files},
                {"bytes", report.bytes},   {"segments", report.segments}, {"index_bytes", bytes}};
  end.complete = report.unreadable == 0 && report.bad_rows == 0;
  end.skipped.assign(report.skipped.begin(), report.skipped.end());
  if (report.bad_rows > 0) end.skipped.emplace_back("bad_row", report.bad_rows);
  end.warnings = std::move(warnings);
  return end;
}

}  // namespace

Status run_build(ToolRun& run) {
  RAGLINE_TRY(BuildOptions options, options_of(run.flags));
  RAGLINE_TRY(const std::vector<std::string> roots, roots_of(run.flags));
  const std::string& folder = run.flags.text("index");
  run.summary.index = folder;
  const FileStat there = stat_file(folder);
  if (there.exists && !there.is_directory)
    return fail(ErrorKind::kUsage, cat("'", folder, "' is a file: name a new or an empty directory for the index"));
  const std::shared_ptr<Storage> storage = disk_storage(folder);

  Manifest before;
  if (auto manifest = read_manifest(*storage)) before = std::move(*manifest);  // what is wrong with it the build will say
  // RAGLINE_MODEL is for new indexes.
  const std::string model = run.flags.given("model") || before.generation == 0 ? run.flags.text("model") : "";
  RAGLINE_TRY(const auto embedder, open_passage_embedder(model, before));
  options.embedder = embedder.get();
  if (!there.exists) RAGLINE_CHECK(make_directories(folder));

  Progress bar(run.show_progress(), "indexing", "files");
  const BuildProgress progress{{}, [&](std::uint64_t files) { bar.add(files); }};
  RAGLINE_TRY(const BuildReport report, build_index(storage, roots, options, progress));
  bar.finish();
  RAGLINE_TRY(const Manifest manifest, read_manifest(*storage));

  run.outcome.set_found();
  if (report.unreadable > 0 || report.bad_rows > 0) run.outcome.set_unreadable();
  run.summary.index_version = cat(manifest.generation);
  run.summary.files = report.files;
  run.summary.bytes_scanned = report.bytes;
  run.summary.counts = {{"added", report.added}, {"updated", report.updated}, {"deleted", report.deleted}};
  std::vector<std::string> warnings = warnings_of(report);
  for (const std::string& warning : warnings) run.note(warning);
  if (run.format() == "text") {
    run.note(summary(report, bytes_of(manifest)));
    return {};
  }
  std::string line;
  write_record(line, end_record(report, std::move(warnings), bytes_of(manifest)));
  return run.out.write(line);
}

}  // namespace ragline
