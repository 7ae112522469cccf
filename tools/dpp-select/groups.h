#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/tool.h"
#include "record/reader.h"

namespace ragline {

// A query with its hits, as they stand in the stream.
struct QueryGroup {
  std::string query_id;
  std::optional<Query> query;
  std::vector<Hit> hits;
  std::vector<std::uint64_t> lines;  // of the hits
  std::optional<End> end;
};

struct GroupOptions {
  bool no_end = false;    // a group ends where the next begins, or the input
  bool skip_bad = false;  // lines that are no record are counted and left out
};

// Cuts a stream of query, hit and end records into groups. Records of other types are handed to
// `other` in passing, as they came, when there is one.
class GroupReader {
 public:
  // name: a file, or "-" for standard input.
  static Result<GroupReader> open(const std::string& name, const GroupOptions& options);
  // False at the end of the input. kData "file:line: what: remedy" for a bad line, and for hits
  // that no end record closes.
  Result<bool> next(QueryGroup& group, std::string* other = nullptr);

  const std::string& name() const { return lines_.name(); }
  std::uint64_t bad_lines() const { return bad_lines_; }
  const std::string& first_bad() const { return first_bad_; }
  // Counts a hit that cannot be used like a bad line; the error when those are not skipped.
  Status bad(std::uint64_t line, const Error& error);

 private:
  GroupReader(LineReader lines, const GroupOptions& options)
      : lines_(std::move(lines)), options_(options) {}

  LineReader lines_;
  RecordParser parser_{RowKind::kQuery};
  GroupOptions options_;
  std::optional<Record> ahead_;  // begins the next group
  std::uint64_t line_ = 0, ahead_line_ = 0, bad_lines_ = 0;
  std::string first_bad_;
};

// Says once, on standard error, how many bad lines were left out, and makes the run end with 4.
void report_bad_lines(ToolRun& run, const GroupReader& reader);

}  // namespace ragline
