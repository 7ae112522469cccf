#include "eval/json_rows.h"

#include "core/text.h"
#include "eval/fields.h"

namespace ragline {

Status each_json_row(const InputText& text, BadRows* bad,
                     const std::function<Status(std::string_view row, RowFault& fault)>& visit) {
  LineWalker lines(without_mark(text.bytes()));
  std::string_view line;
  while (lines.next(line)) {
    const std::string_view row = trim(line);
    if (row.empty()) continue;
    RowFault fault = RowFault::kMember;
    const Status status = visit(row, fault);
    if (status) continue;
    if (fault == RowFault::kMember) fault = json_fault(row);
    RAGLINE_CHECK(BadRows::note(bad, fault, text, row.data(), status.error().message));
  }
  return {};
}

}  // namespace ragline
