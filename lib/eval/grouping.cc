#include "eval/grouping.h"

#include <algorithm>

#include "core/text.h"
#include "record/reader.h"

namespace ragline {

Result<Grouping> Grouping::read(const std::string& path, std::string field) {
  Grouping grouping;
  grouping.field_ = std::move(field);
  RAGLINE_TRY(LineReader reader, LineReader::open(path));
  Line line;
  bool any = false;
  while (true) {
    RAGLINE_TRY(const bool more, reader.next(line));
    if (!more) break;
    std::string id;
    std::vector<std::string> values;
    const Status scanned =
        for_each_scalar(line.bytes, [&](std::string_view key, const JsonScalar& scalar) {
          const std::string text = scalar.kind == JsonScalar::Kind::kBool
                                       ? (scalar.boolean ? "true" : "false")
                                       : scalar.text;
          if (key == "query_id" || (id.empty() && (key == "_id" || key == "id"))) id = text;
          if (key == grouping.field_ && scalar.kind != JsonScalar::Kind::kNull)
            values.push_back(text);
        });
    if (!scanned) return std::unexpected(at_line(scanned.error(), reader.name(), line.number));
    if (id.empty())
      return std::unexpected(
          at_line({ErrorKind::kData, "no query_id, _id or id: give each query one"}, reader.name(),
                  line.number));
    any = any || !values.empty();
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    grouping.values_[id] = std::move(values);
  }
  if (!any)
    return fail(ErrorKind::kUsage, cat("--by ", grouping.field_, ": no query of ", reader.name(),
                                       " has this field: name one of its fields"));
  return grouping;
}

std::vector<std::pair<std::string, std::vector<std::size_t>>> Grouping::groups(
    const Evaluation& evaluation) const {
  std::map<std::string, std::vector<std::size_t>> places;
  std::vector<std::size_t> without;
  for (std::size_t q = 0; q < evaluation.queries.size(); ++q) {
    const auto found = values_.find(evaluation.queries[q]);
    if (found == values_.end() || found->second.empty()) {
      without.push_back(q);
      continue;
    }
    for (const std::string& value : found->second) places[value].push_back(q);
  }
  std::vector<std::pair<std::string, std::vector<std::size_t>>> groups(places.begin(),
                                                                       places.end());
  if (!without.empty()) groups.emplace_back("", std::move(without));
  return groups;
}

}  // namespace ragline
