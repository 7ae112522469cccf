#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "record/record.h"

namespace ragline {

struct QueryFile {
  std::vector<Query> queries;     // in order; one without an id gets its line number
  std::uint64_t bad_lines = 0;    // left out, with skip_bad
  std::string first_bad;
};

// `query` records, BEIR rows ({"_id","text"}), or lines of a TSV: id, tab, text. "-" is standard input.
// A line that begins with '{' is JSON; records of other types are passed over. A query without text is a bad line.
Result<QueryFile> read_queries(const std::string& name, bool skip_bad);

}  // namespace ragline
