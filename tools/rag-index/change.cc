#include <algorithm>

#include "cli/paths.h"
#include "core/text.h"
#include "index/delete.h"
#include "rag-index/commands.h"
#include "record/writer.h"

namespace ragline {

namespace {

WriterOptions writer_options(const Flags& flags) {
  WriterOptions options;
  options.wait_ms = static_cast<int>(std::min<std::int64_t>(flags.duration_ms("wait"), INT32_MAX));
  return options;
}

// For people a sentence, else the record.
Status conclude(ToolRun& run, std::string_view sentence, const End& end) {
  if (run.format() == "text") {
    run.note(sentence);
    return {};
  }
  std::string line;
  write_record(line, end);
  return run.out.write(line);
}

}  // namespace

Status run_delete(ToolRun& run) {
  const Flags& flags = run.flags;
  DeleteRequest request;
  RAGLINE_TRY(request.document_ids, input_paths(flags));
  request.under = flags.list("under");
  if (flags.has("document-version")) request.version = flags.text("document-version");
  if (request.document_ids.empty() && request.under.empty())
    return fail(ErrorKind::kUsage, "nothing named: give document ids, --files-from, or --under PATH");
  run.summary.index = flags.text("index");
  RAGLINE_TRY(const DeleteReport report, delete_documents(disk_storage(flags.text("index")), request, writer_options(flags)));

  run.outcome.set_found(report.documents > 0 || report.roots > 0);
  run.summary.counts = {{"deleted", report.documents}};
  for (const std::string& unknown : report.unknown) run.note(cat("'", unknown, "' names no document: rag-index list shows them"));
  End end;
  end.counts = {{"deleted", report.documents}, {"unknown", report.unknown.size()}, {"roots", report.roots}, {"segments", report.segments}};
  return conclude(run, cat("deleted ", count_text(report.documents), report.documents == 1 ? " document" : " documents"), end);
}

Status run_merge(ToolRun& run) {
  run.summary.index = run.flags.text("index");
  RAGLINE_TRY(const CommitReport report, merge_index(disk_storage(run.flags.text("index")), writer_options(run.flags)));
  run.outcome.set_found();
  End end;
  end.counts = {{"segments", report.segments}};
  return conclude(run, report.changed ? "merged into one segment" : "nothing to merge", end);
}

}  // namespace ragline
