#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "eval/bad_rows.h"
#include "eval/evaluate.h"

namespace ragline {

// Queries by the value of a field of the query file: by question type, language, number of hops.
//
// The file has one JSON object a line: query or case records, or rows with `_id` or `id`; or is a
// JSON list of them, or an object with one (json_rows.h); packed or not (input.h). The field
// may be of any depth ("metadata.kind"); a list puts its query into a group for each element; a
// query without the field, or not in the file, goes into the group "".
class Grouping {
 public:
  // Errors: those of reading; kData "file:line: ..." for a line that is no JSON object or has no
  // id; kUsage when no query has the field.
  static Result<Grouping> read(const std::string& path, std::string field, BadRows* bad = nullptr);

  const std::string& field() const { return field_; }
  // The groups of a query, in order; none where it has none.
  std::vector<std::string> values_of(std::string_view query_id) const;
  // Group names in order, "" last, with the places of their queries in the evaluation.
  std::vector<std::pair<std::string, std::vector<std::size_t>>> groups(
      const Evaluation& evaluation) const;

 private:
  std::string field_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;  // by query id
};

// The values of a field of a JSON row, in order and each once: one, or those of a list; "a.b"
// reaches into objects. None for a row that is no JSON.
std::vector<std::string> row_values(std::string_view row, std::string_view field);

}  // namespace ragline
