#include "index/export.h"

#include "core/interrupt.h"
#include "record/writer.h"

namespace ragline {

Result<ExportReport> export_records(const Snapshot& snapshot, const std::function<Status(std::string_view lines)>& sink) {
  ExportReport report;
  std::string lines;
  auto visit = [&](std::uint32_t, ChunkedDocument&& document) -> Status {
    if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
    lines.clear();
    for (const Chunk& chunk : document.chunks) write_record(lines, chunk);
    ++report.documents;
    report.chunks += document.chunks.size();
    return sink(lines);
  };
  for (const auto& segment : snapshot.segments) RAGLINE_CHECK(segment->scan(visit));
  return report;
}

}  // namespace ragline
