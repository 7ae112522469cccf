#include <cstdio>

#include "core/text.h"
#include "index/check.h"
#include "index/info.h"
#include "rag-index/commands.h"
#include "record/writer.h"

namespace ragline {

namespace {

std::string fixed(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

double ratio(const IndexInfo& info) { return info.text_bytes ? static_cast<double>(info.bytes) / static_cast<double>(info.text_bytes) : 0; }

// A list of objects, each written by `write`.
template <class Items, class Write>
std::string json_array(const Items& items, Write write) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ',';
    write(out, item);
  }
  return out + "]";
}

std::string info_record(const Manifest& manifest, const IndexInfo& info) {
  std::string line;
  JsonObject record(line);
  record.add("type", "index").add("generation", manifest.generation).add("created_by", manifest.created_by);
  record.add("base", manifest.base);
  record.raw("roots", json_array(manifest.roots, [](std::string& out, const std::string& root) { append_json_string(out, root); }));
  record.add("documents", info.documents).add("chunks", info.chunks).add("several_versions", info.several_versions);
  record.add("governed", manifest.governed).add("tenants", manifest.tenants).add("labels", manifest.labels);
  record.add("chunk_size", std::uint64_t{manifest.chunk_size}).add("chunk_overlap", std::uint64_t{manifest.chunk_overlap});
  record.add("language", manifest.language.empty() ? "auto" : manifest.language).add("analyzer_version", std::uint64_t{manifest.analyzer_version});
  record.raw("segments", json_array(manifest.segments, [](std::string& out, const SegmentEntry& segment) {
    JsonObject one(out);
    one.add("name", segment.name).add("documents", std::uint64_t{segment.documents}).add("chunks", std::uint64_t{segment.chunks});
    one.add("deleted_chunks", std::uint64_t{segment.deleted_chunks}).add("bytes", segment.bytes).close();
  }));
  record.raw("languages", json_array(info.languages, [](std::string& out, const IndexInfo::LanguageInfo& language) {
    JsonObject one(out);
    one.add("language", language.code).add("chunks", language.chunks).add("average_length", language.average_length).close();
  }));
  std::string files;
  JsonObject sizes(files);
  for (const auto& [kind, bytes] : info.files) sizes.add(kind, bytes);
  sizes.close();
  record.raw("files", files).add("bytes", info.bytes).add("text_bytes", info.text_bytes).add("bytes_per_text_byte", ratio(info)).close();
  return line + "\n";
}

std::string info_text(const std::string& where, const Manifest& manifest, const IndexInfo& info) {
  std::string out;
  append(out, where, ": ", count_text(info.documents), " documents, ", count_text(info.chunks), " chunks, ", size_text(info.bytes), " (",
         fixed(ratio(info), 2), " of the text's ", size_text(info.text_bytes), "), generation ", manifest.generation, "\n");
  append(out, "ids      relative to ", manifest.base, "\n");
  for (const std::string& root : manifest.roots) append(out, "root     ", root, "\n");
  append(out, "chunks   of at most ", manifest.chunk_size, " tokens, ", manifest.chunk_overlap, " repeated; language ",
         manifest.language.empty() ? "detected" : manifest.language, "\n");
  if (manifest.governed) append(out, "governed searches need --principal", manifest.tenants ? " and --tenant" : "", "\n");
  if (info.several_versions > 0) append(out, "versions ", count_text(info.several_versions), " documents have more than one\n");
  for (const auto& language : info.languages)
    append(out, "language ", language.code, "  ", count_text(language.chunks), " chunks of ", fixed(language.average_length, 1), " terms\n");
  for (const SegmentEntry& segment : manifest.segments) {
    append(out, "segment  ", segment.name, "  ", count_text(segment.chunks), " chunks, ", size_text(segment.bytes));
    if (segment.deleted_chunks > 0) append(out, ", ", count_text(segment.deleted_chunks), " deleted");
    out += '\n';
  }
  for (const auto& [kind, bytes] : info.files) append(out, "file     ", kind, "  ", size_text(bytes), "\n");
  return out;
}

}  // namespace

Status run_info(ToolRun& run) {
  run.summary.index = run.flags.text("index");
  const auto storage = disk_storage(run.flags.text("index"));
  RAGLINE_TRY(const auto snapshot, open_snapshot(*storage));
  RAGLINE_TRY(const IndexInfo info, describe_index(*storage, *snapshot));
  run.outcome.set_found();
  run.summary.index_version = cat(snapshot->manifest.generation);
  return run.out.write(run.format() == "text" ? info_text(snapshot->where, snapshot->manifest, info)
                                              : info_record(snapshot->manifest, info));
}

Status run_check(ToolRun& run) {
  run.summary.index = run.flags.text("index");
  const auto storage = disk_storage(run.flags.text("index"));
  CheckReport report;
  const Status status = check_index(*storage, &report);
  if (!status && report.problems.empty()) return status;  // there was nothing to check
  run.outcome.set_found();
  for (const std::string& leftover : report.leftovers) run.detail(cat(leftover, ": left over by a writer that died; the next one removes it"));

  if (run.format() == "text") {
    for (const std::string& problem : report.problems) run.note(problem);
    if (status)
      return run.out.write(cat("sound: ", count_text(report.segments), report.segments == 1 ? " segment, " : " segments, ", count_text(report.documents),
                               " documents, ", count_text(report.chunks), " chunks, ", size_text(report.bytes), "\n"));
  } else {
    End end;
    end.counts = {{"problems", report.problems.size()}, {"segments", report.segments}, {"documents", report.documents},
                  {"chunks", report.chunks}, {"bytes", report.bytes}, {"leftovers", report.leftovers.size()}};
    end.complete = report.problems.empty();
    end.warnings = report.problems;
    std::string line;
    write_record(line, end);
    RAGLINE_CHECK(run.out.write(line));
  }
  return status;
}

}  // namespace ragline
