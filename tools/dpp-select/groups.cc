#include "dpp-select/groups.h"

#include "core/text.h"
#include "record/writer.h"

namespace ragline {

Result<GroupReader> GroupReader::open(const std::string& name, const GroupOptions& options) {
  RAGLINE_TRY(auto lines, LineReader::open(name));
  return GroupReader(std::move(lines), options);
}

Status GroupReader::bad(std::uint64_t line, const Error& error) {
  const Error placed = at_line(error, name(), line);
  if (!options_.skip_bad || error.kind != ErrorKind::kData) return std::unexpected(placed);
  if (bad_lines_++ == 0) first_bad_ = placed.message;
  return {};
}

Result<bool> GroupReader::next(QueryGroup& group, std::string* other) {
  group = {};
  bool open = false;
  const auto cut = [&]() -> Result<bool> {
    if (!open || options_.no_end || group.hits.empty()) return open;
    return fail(ErrorKind::kData, cat(name(), ": the hits of query '", group.query_id,
                                      "' have no end record, so the stream was cut: run what made "
                                      "it again, or give --no-end for a file made by hand"));
  };
  Line line;
  while (true) {
    std::optional<Record> record = std::exchange(ahead_, std::nullopt);
    if (record) {
      line_ = ahead_line_;
    } else {
      auto more = lines_.next(line);
      line_ = line.number;
      if (!more) {
        RAGLINE_CHECK(bad(line.number, more.error()));
        continue;
      }
      if (!*more) return cut();
      auto parsed = parser_.parse(line.bytes);
      if (!parsed) {
        RAGLINE_CHECK(bad(line.number, parsed.error()));
        continue;
      }
      record = std::move(*parsed);
    }
    if (auto* query = std::get_if<Query>(&*record)) {
      if (open) {
        ahead_ = std::move(record);
        ahead_line_ = line_;
        return cut();
      }
      open = true;
      group.query_id = query->query_id;
      group.query = std::move(*query);
    } else if (auto* hit = std::get_if<Hit>(&*record)) {
      if (open && hit->query_id != group.query_id) {
        ahead_ = std::move(record);
        ahead_line_ = line_;
        return cut();
      }
      if (!open) group.query_id = hit->query_id;
      open = true;
      group.hits.push_back(std::move(*hit));
      group.lines.push_back(line_);
    } else if (auto* end = std::get_if<End>(&*record); end && open) {
      group.end = std::move(*end);
      return true;
    } else if (other) {
      write_record(*other, *record);
    }
  }
}

void report_bad_lines(ToolRun& run, const GroupReader& reader) {
  if (reader.bad_lines() == 0) return;
  run.note(cat(reader.bad_lines(), " bad lines left out; the first: ", reader.first_bad()));
  run.outcome.set_unreadable();
}

}  // namespace ragline
