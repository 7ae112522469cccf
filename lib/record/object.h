#pragma once
#include <deque>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "record/field.h"

// One JSON object or list in hand, member by member: for records that only one tool reads, and for
// rows that are no record of ours.
//
//   RAGLINE_TRY(const JsonMembers row, JsonMembers::parse(line));
//   std::string id;
//   RAGLINE_CHECK(row.text({"query_id", "id"}, id));
//
// Keys have their escapes resolved. The views point into the text, which must outlive the object.
// Thread-compatible.
namespace ragline {

class JsonMembers {
 public:
  JsonMembers(JsonMembers&&) = default;  // the fields point into keys_, so no copies
  JsonMembers& operator=(JsonMembers&&) = default;
  // kData, without the place (at_line() adds it), unless `json` is one object, UTF-8 and sound to
  // its last byte.
  static Result<JsonMembers> parse(std::string_view json);

  // The last member of that name; nullptr when there is none or it is null.
  const Field* find(std::string_view key) const;
  // The first name that has a member.
  const Field* find(std::initializer_list<std::string_view> keys) const;

  // Reads the member into `out` by the functions of field.h, and leaves `out` as it is where there
  // is no such member. kData names the member and what belongs there.
  Status text(std::initializer_list<std::string_view> keys, std::string& out) const;
  // A string, or a number or bool as it is written.
  Status id(std::initializer_list<std::string_view> keys, std::string& out) const;
  Status list(std::string_view key, std::vector<std::string>& out) const;
  Status flag(std::string_view key, std::optional<bool>& out) const;
  Status number(std::string_view key, std::optional<double>& out) const;
  Status count(std::string_view key, std::optional<std::uint64_t>& out) const;

  const std::deque<Field>& fields() const { return fields_; }

 private:
  JsonMembers() = default;
  std::deque<Field> fields_;
  std::deque<std::string> keys_;
};

// The values of a list, as written. kData unless `json` is one sound list.
Result<std::vector<std::string_view>> json_elements(std::string_view json);
// The text of a string; a number or bool as it is written; nullopt for anything else.
std::optional<std::string> json_scalar_text(std::string_view json);

}  // namespace ragline
