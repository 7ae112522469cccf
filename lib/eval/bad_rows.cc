#include "eval/bad_rows.h"

#include "record/object.h"

namespace ragline {

const char* row_fault_name(RowFault fault) {
  constexpr std::array<const char*, 9> kNames = {"short_line", "not_a_number", "not_json",
                                                 "bad_member", "duplicate",    "swapped",
                                                 "empty",      "cut",          "no_overlap"};
  return kNames[static_cast<std::size_t>(fault)];
}

Status BadRows::note(BadRows* rows, RowFault fault, const InputText& text, const char* at,
                     std::string_view message) {
  // Finding a line's number costs as much as the text above it: only the first message is needed.
  if (!rows || !rows->skip_) return note(rows, fault, text.error_at(at, message));
  if (!rows->seen_.insert(at).second) return {};
  if (rows->total() == 0) rows->first_ = text.error_at(at, message).message;
  rows->count(fault);
  return {};
}

Status BadRows::note(BadRows* rows, RowFault fault, Error error) {
  if (!rows || !rows->skip_) return stop(rows, fault, std::move(error));
  if (rows->total() == 0) rows->first_ = std::move(error.message);
  rows->count(fault);
  return {};
}

std::unexpected<Error> BadRows::stop(BadRows* rows, RowFault fault, Error error) {
  if (rows) rows->stopped_by_ = fault;
  return std::unexpected(std::move(error));
}

std::uint64_t BadRows::total() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts_) sum += count;
  return sum;
}

std::vector<std::pair<std::string, std::uint64_t>> BadRows::counts() const {
  std::vector<std::pair<std::string, std::uint64_t>> out;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (counts_[i] > 0) out.emplace_back(row_fault_name(static_cast<RowFault>(i)), counts_[i]);
  return out;
}

RowFault json_fault(std::string_view row) {
  return JsonMembers::parse(row) ? RowFault::kMember : RowFault::kJson;
}

}  // namespace ragline
