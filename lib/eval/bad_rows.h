#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/result.h"
#include "eval/input.h"

namespace ragline {

// What can be wrong with the rows of an input file.
enum class RowFault {
  kShort,      // fewer fields than a row has, or more
  kNumber,     // a score or grade that is no finite number
  kJson,       // not JSON, or not UTF-8
  kMember,     // a member that is missing, or holds what it cannot
  kDuplicate,  // a row for what an earlier row is about
  kSwapped,    // judgements in the place of a run, or the other way round
  kEmpty,      // no row at all
  kCut,        // records that stop without their end
  kNoOverlap   // no query that both files have
};
// "short_line", "not_a_number", "not_json", "bad_member", "duplicate", "swapped", "empty", "cut",
// "no_overlap": as the `end` record has them.
const char* row_fault_name(RowFault fault);

// Faults of the rows that one command reads, from however many files. The readers of this folder
// take a pointer to one; without it the first bad row is an error and nobody hears its kind.
//   Skipping  rows are left out and counted; of a duplicate the first row stays. The last four
//             kinds are of files and not of rows: they always end the reading.
//   Threads   one.
class BadRows {
 public:
  explicit BadRows(bool skip = false) : skip_(skip) {}

  // Takes note of a bad row at that byte of a text. Nothing comes back when it is to be skipped,
  // else the error. A row that is read again (for each of several judges) counts once.
  static Status note(BadRows* rows, RowFault fault, const InputText& text, const char* at,
                     std::string_view message);
  // The same for a row whose place is known otherwise; `error` names it.
  static Status note(BadRows* rows, RowFault fault, Error error);
  // The same for a file: always the error.
  static std::unexpected<Error> stop(BadRows* rows, RowFault fault, Error error);

  std::uint64_t total() const;
  // Those that were skipped, by kind.
  std::vector<std::pair<std::string, std::uint64_t>> counts() const;
  const std::string& first() const { return first_; }  // "file:line: what is wrong: remedy"
  // What ended the reading.
  std::optional<RowFault> stopped_by() const { return stopped_by_; }

 private:
  void count(RowFault fault) { ++counts_[static_cast<std::size_t>(fault)]; }

  bool skip_;
  std::array<std::uint64_t, 9> counts_{};
  std::unordered_set<const void*> seen_;
  std::string first_;
  std::optional<RowFault> stopped_by_;
};

// kJson when the row is no sound JSON object, else kMember: which of the two a reader's error is.
RowFault json_fault(std::string_view row);

}  // namespace ragline
