#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "record/json_scan.h"
#include "record/record.h"

// One member of a JSON object as the reader cuts it out, and its reading into the value that a
// record wants there.
//
// Every function checks the whole of the field's text. null stands for an absent member. The error
// names the field, what is there and what belongs there: "field 'lines' is a string: give [first,
// last], counted from 1". Text that is not JSON at all gives a kData error too, worded by
// JsonScanner relative to the field; RecordParser replaces it by one that counts from the start of
// the line.
namespace ragline {

struct Field {
  std::string_view key;      // escapes resolved
  std::string_view raw_key;  // with its quotes, as written
  std::string_view raw;      // the value, as written, without blanks around it; never empty
};

Status read_text(const Field& field, std::string& out);
Status read_count(const Field& field, std::uint64_t& out);
Status read_optional_count(const Field& field, std::optional<std::uint64_t>& out);
Status read_number(const Field& field, double& out);
Status read_flag(const Field& field, bool& out);
Status read_list(const Field& field, std::vector<std::string>& out);
Status read_optional_list(const Field& field, std::optional<std::vector<std::string>>& out);
Status read_lines(const Field& field, std::optional<LineSpan>& out);
Status read_bytes(const Field& field, std::optional<ByteSpan>& out);
Status read_base64(const Field& field, std::string& out);
// JSON kept as written. `opening` is '{' or '[' where the shape matters, 0 where any value will do.
Status read_json(const Field& field, char opening, RawJson& out);
Status read_scores(const Field& field, std::vector<ArmScore>& out);
Status read_counts(const Field& field, std::vector<std::pair<std::string, std::uint64_t>>& out);
Status read_numbers(const Field& field, std::vector<std::pair<std::string, double>>& out);

// That `raw` may go out as it came: it is JSON, and no line break among its blanks would cut the
// record in two.
Status check_kept(std::string_view raw);
// Adds the field to `extra` as it was written.
Status keep_field(const Field& field, std::string& extra);
// The field's text as a whole number from 0; nullopt for anything else.
std::optional<std::uint64_t> count_of(std::string_view raw);

// Calls visit(field) for the members of an object, until it returns false. False when it did, or
// when the text is not an object.
template <class Visit>
bool visit_members(std::string_view raw, Visit visit) {
  JsonScanner scan(raw);
  if (scan.next() != JsonToken::kOpenObject) return false;
  while (scan.next() == JsonToken::kKey) {
    Field inner;
    const std::string_view name = scan.raw();
    inner.raw_key = {name.data() - 1, name.size() + 2};
    std::string key;
    if (!append_unescaped(key, name)) return false;
    inner.key = key;
    const auto value = scan.value();
    if (!value) return false;
    inner.raw = *value;
    if (!visit(inner)) return false;
  }
  return scan.last() == JsonToken::kCloseObject && scan.next() == JsonToken::kEnd;
}

}  // namespace ragline
