#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "eval/evaluate.h"

namespace ragline {

// Queries by the value of a field of the query file: by question type, language, number of hops.
//
// The file has one JSON object a line: query or case records, or rows with `_id` or `id`. The field
// may be of any depth ("metadata.kind"); a list puts its query into a group for each element; a
// query without the field, or not in the file, goes into the group "".
class Grouping {
 public:
  // Errors: those of reading; kData "file:line: ..." for a line that is no JSON object or has no
  // id; kUsage when no query has the field.
  static Result<Grouping> read(const std::string& path, std::string field);

  const std::string& field() const { return field_; }
  // Group names in order, "" last, with the places of their queries in the evaluation.
  std::vector<std::pair<std::string, std::vector<std::size_t>>> groups(
      const Evaluation& evaluation) const;

 private:
  std::string field_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;  // by query id
};

}  // namespace ragline
