#include "cli/paths.h"
#include "cli/terminal.h"
#include "core/files.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "index/export.h"
#include "index/list.h"
#include "index/lookup.h"
#include "rag-index/commands.h"
#include "record/writer.h"
#include "scope_flags.h"

namespace ragline {

namespace {

// Streams of records close with their counts.
Status write_end(ToolRun& run, std::vector<std::pair<std::string, std::uint64_t>> counts) {
  End end;
  end.counts = std::move(counts);
  std::string line;
  write_record(line, end);
  return run.out.write(line);
}

void render_document(std::string& out, const Document& document, const std::string& base, const Painter& painter) {
  if (document.path.empty()) {
    painter.paint(out, Ink::kPath, document.document_id);
  } else {
    painter.link(out, Ink::kPath, document.document_id, join_path(base, document.path), 1);
  }
  if (!document.version.empty()) {
    out += "  ";
    painter.paint(out, Ink::kNumber, document.version);
  }
  out += "  ";
  painter.paint(out, Ink::kDim, cat(document.media_type.empty() ? "-" : document.media_type, " ", document.language));
  if (!document.title.empty()) {
    out += "  ";
    painter.paint(out, Ink::kHeading, document.title);
  }
  out += '\n';
}

void render_chunk(std::string& out, const Chunk& chunk, const Painter& painter) {
  painter.paint(out, Ink::kPath, chunk.evidence_id);
  if (chunk.lines) painter.paint(out, Ink::kDim, cat("  lines ", chunk.lines->first, "-", chunk.lines->last));
  out += '\n';
  painter.paint(out, Ink::kPlain, chunk.text);
  out += chunk.text.ends_with('\n') ? "\n" : "\n\n";
}

Result<std::shared_ptr<const Snapshot>> open(ToolRun& run) {
  run.summary.index = run.flags.text("index");
  auto snapshot = open_snapshot(*disk_storage(run.flags.text("index")));
  if (snapshot) run.summary.index_version = cat((*snapshot)->manifest.generation);
  return snapshot;
}

}  // namespace

Status run_list(ToolRun& run) {
  RAGLINE_TRY(const Scope scope, scope_of(run.flags));
  RAGLINE_TRY(const auto snapshot, open(run));
  RAGLINE_TRY(const ScopeBitmaps bitmaps, apply_scope(*snapshot, scope));
  const Painter painter = Painter::standard(run.flags.text("color"));
  const bool text = run.format() == "text";
  std::uint64_t count = 0;
  std::string line;
  auto visit = [&](const Document& document) {
    ++count;
    line.clear();
    if (text) {
      render_document(line, document, snapshot->manifest.base, painter);
    } else {
      write_record(line, document);
    }
    return run.out.write(line);
  };
  RAGLINE_CHECK(list_documents(*snapshot, bitmaps, visit));
  run.outcome.set_found(count > 0);
  run.summary.hits = count;
  return text ? Status{} : write_end(run, {{"documents", count}});
}

Status run_get(ToolRun& run) {
  RAGLINE_TRY(const Scope scope, scope_of(run.flags));
  RAGLINE_TRY(const std::vector<std::string> ids, input_paths(run.flags));
  if (ids.empty()) return fail(ErrorKind::kUsage, "no id given: rag-index get -i DIR ID..., with ids as hits carry them");
  RAGLINE_TRY(const auto snapshot, open(run));
  RAGLINE_TRY(const Lookup lookup, Lookup::open(*snapshot, scope));
  const Painter painter = Painter::standard(run.flags.text("color"));
  const bool text = run.format() == "text";
  std::uint64_t chunks = 0, missing = 0;
  for (const std::string& id : ids) {
    if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
    const auto found = lookup.find(id);
    if (!found && found.error().kind != ErrorKind::kNotFound) return std::unexpected(found.error());
    if (!found) {
      ++missing;
      run.note(found.error().message);
      continue;
    }
    std::string lines;
    for (const Chunk& chunk : *found) {
      if (text) {
        render_chunk(lines, chunk, painter);
      } else {
        write_record(lines, chunk);
      }
    }
    chunks += found->size();
    RAGLINE_CHECK(run.out.write(lines));
  }
  run.outcome.set_found(missing == 0);
  run.summary.hits = chunks;
  return text ? Status{} : write_end(run, {{"chunks", chunks}, {"missing", missing}});
}

Status run_export(ToolRun& run) {
  RAGLINE_TRY(const auto snapshot, open(run));
  run.outcome.set_found();
  if (run.flags.has("sqlite")) {
    RAGLINE_TRY(const ExportReport report, export_sqlite(*snapshot, run.flags.text("sqlite")));
    if (run.format() == "text") {
      run.note(cat("wrote ", count_text(report.documents), " documents, ", count_text(report.chunks), " chunks to ", run.flags.text("sqlite")));
      return {};
    }
    return write_end(run, {{"documents", report.documents}, {"chunks", report.chunks}});
  }
  RAGLINE_TRY(const ExportReport report, export_records(*snapshot, [&](std::string_view lines) { return run.out.write(lines); }));
  return write_end(run, {{"documents", report.documents}, {"chunks", report.chunks}});
}

}  // namespace ragline
