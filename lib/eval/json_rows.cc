#include "eval/json_rows.h"

#include <optional>
#include <vector>

#include "core/text.h"
#include "eval/fields.h"
#include "record/object.h"

namespace ragline {

namespace {

using Rows = std::vector<std::string_view>;

// The rows of a text that is one JSON value: a list of them, or an object with such a list.
std::optional<Rows> rows_of_value(std::string_view json) {
  if (json.starts_with('[')) {
    auto rows = json_elements(json);
    return rows ? std::optional(std::move(*rows)) : std::nullopt;
  }
  // An object on its first line is a row, and others may follow.
  if (!json.starts_with('{') || JsonMembers::parse(json.substr(0, json.find('\n')))) return {};
  const auto members = JsonMembers::parse(json);
  if (!members) return {};
  for (const Field& field : members->fields())
    if (auto rows = json_elements(field.raw); rows && !rows->empty() && rows->front()[0] == '{')
      return std::move(*rows);
  return {};
}

}  // namespace

Status each_json_row(const InputText& text, BadRows* bad,
                     const std::function<Status(std::string_view row, RowFault& fault)>& visit) {
  const auto take = [&](std::string_view row) -> Status {
    RowFault fault = RowFault::kMember;
    const Status status = visit(row, fault);
    if (status) return {};
    if (fault == RowFault::kMember) fault = json_fault(row);
    return BadRows::note(bad, fault, text, row.data(), status.error().message);
  };
  const std::string_view bytes = without_mark(text.bytes());
  if (const auto rows = rows_of_value(trim(bytes))) {
    for (const std::string_view row : *rows) RAGLINE_CHECK(take(row));
    return {};
  }
  LineWalker lines(bytes);
  std::string_view line;
  while (lines.next(line))
    if (const std::string_view row = trim(line); !row.empty()) RAGLINE_CHECK(take(row));
  return {};
}

}  // namespace ragline
