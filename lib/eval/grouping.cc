#include "eval/grouping.h"

#include <algorithm>

#include "core/text.h"
#include "eval/json_rows.h"
#include "record/reader.h"

namespace ragline {

namespace {

struct RowFields {
  std::string id;
  std::vector<std::string> values;
};

Result<RowFields> read_fields(std::string_view row, std::string_view field) {
  RowFields out;
  RAGLINE_CHECK(for_each_scalar(row, [&](std::string_view key, const JsonScalar& scalar) {
    const std::string text =
        scalar.kind == JsonScalar::Kind::kBool ? (scalar.boolean ? "true" : "false") : scalar.text;
    if (key == "query_id" || (out.id.empty() && (key == "_id" || key == "id" || key == "qid")))
      out.id = text;
    if (key == field && scalar.kind != JsonScalar::Kind::kNull) out.values.push_back(text);
  }));
  std::ranges::sort(out.values);
  out.values.erase(std::unique(out.values.begin(), out.values.end()), out.values.end());
  return out;
}

}  // namespace

Result<Grouping> Grouping::read(const std::string& path, std::string field, BadRows* bad) {
  Grouping grouping;
  grouping.field_ = std::move(field);
  RAGLINE_TRY(const InputText text, InputText::open(path));
  bool any = false;
  RAGLINE_CHECK(each_json_row(text, bad, [&](std::string_view row, RowFault&) -> Status {
    RAGLINE_TRY(RowFields fields, read_fields(row, grouping.field_));
    if (fields.id.empty())
      return fail(ErrorKind::kData, "no query_id, _id or id: give each query one");
    any = any || !fields.values.empty();
    grouping.values_[fields.id] = std::move(fields.values);
    return {};
  }));
  if (!any)
    return fail(ErrorKind::kUsage, cat("--by ", grouping.field_, ": no query of ", text.name(),
                                       " has this field: name one of its fields"));
  return grouping;
}

std::vector<std::string> Grouping::values_of(std::string_view query_id) const {
  const auto found = values_.find(query_id);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

std::vector<std::string> row_values(std::string_view row, std::string_view field) {
  auto fields = read_fields(row, field);
  return fields ? std::move(fields->values) : std::vector<std::string>();
}

std::vector<std::pair<std::string, std::vector<std::size_t>>> Grouping::groups(
    const Evaluation& evaluation) const {
  std::map<std::string, std::vector<std::size_t>> places;
  std::vector<std::size_t> without;
  for (std::size_t q = 0; q < evaluation.queries.size(); ++q) {
    const std::vector<std::string> values = values_of(evaluation.queries[q]);
    if (values.empty()) without.push_back(q);
    for (const std::string& value : values) places[value].push_back(q);
  }
  std::vector<std::pair<std::string, std::vector<std::size_t>>> groups(places.begin(),
                                                                       places.end());
  if (!without.empty()) groups.emplace_back("", std::move(without));
  return groups;
}

}  // namespace ragline
