#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace ragline {

// Bounds on one run; 0 is none. What is cut, and the cursor, depend on the files alone, not on the threads; all but the time.
struct Budgets {
  std::uint64_t matches = 0;           // lines (files, where only files are printed)
  std::uint64_t matches_per_file = 0;
  std::uint64_t files = 0;             // searched
  std::uint64_t bytes_scanned = 0;
  std::uint64_t output_bytes = 0;      // of matches; the closing record comes on top
  std::uint64_t tokens = 0;            // of output, by estimate_tokens
  std::int64_t timeout_ms = 0;

  bool any_output() const { return matches > 0 || output_bytes > 0 || tokens > 0; }
  bool needs_marks() const { return any_output() || bytes_scanned > 0; }
};

// Where a search that was cut goes on: a file and an offset in its canonical text. As text: "<search>:<offset>:<path>", where
// <search> is a hash of what was asked, so that a cursor is refused by another search.
struct Cursor {
  std::uint64_t search = 0;
  std::uint64_t offset = 0;
  std::string path;  // bytes; in text, what is not printable ASCII is %XX
};
std::string cursor_text(const Cursor& cursor);
// kUsage for what is none, or is not of `search`.
Result<Cursor> parse_cursor(std::string_view text, std::uint64_t search);

}  // namespace ragline
