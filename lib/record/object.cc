#include "record/object.h"

#include "core/text.h"
#include "record/json_scan.h"
#include "record/reader.h"

namespace ragline {

Result<JsonMembers> JsonMembers::parse(std::string_view json) {
  RAGLINE_CHECK(check_json(json));
  JsonMembers out;
  const bool object = visit_members(json, [&](const Field& field) {
    Field& kept = out.fields_.emplace_back(field);
    kept.key = out.keys_.emplace_back(field.key);
    return true;
  });
  if (!object) return fail(ErrorKind::kData, "not an object: give one JSON object a line");
  return out;
}

const Field* JsonMembers::find(std::string_view key) const {
  for (auto field = fields_.rbegin(); field != fields_.rend(); ++field)
    if (field->key == key) return field->raw == "null" ? nullptr : &*field;
  return nullptr;
}

const Field* JsonMembers::find(std::initializer_list<std::string_view> keys) const {
  for (const std::string_view key : keys)
    if (const Field* field = find(key)) return field;
  return nullptr;
}

Status JsonMembers::text(std::initializer_list<std::string_view> keys, std::string& out) const {
  const Field* field = find(keys);
  return field ? read_text(*field, out) : Status{};
}

Status JsonMembers::id(std::initializer_list<std::string_view> keys, std::string& out) const {
  const Field* field = find(keys);
  if (!field) return {};
  if (auto scalar = json_scalar_text(field->raw)) {
    out = std::move(*scalar);
    return {};
  }
  return read_text(*field, out);  // for its words
}

Status JsonMembers::list(std::string_view key, std::vector<std::string>& out) const {
  const Field* field = find(key);
  return field ? read_list(*field, out) : Status{};
}

Status JsonMembers::flag(std::string_view key, std::optional<bool>& out) const {
  const Field* field = find(key);
  return field ? read_flag(*field, out.emplace()) : Status{};
}

Status JsonMembers::number(std::string_view key, std::optional<double>& out) const {
  const Field* field = find(key);
  return field ? read_number(*field, out.emplace()) : Status{};
}

Status JsonMembers::count(std::string_view key, std::optional<std::uint64_t>& out) const {
  const Field* field = find(key);
  return field ? read_count(*field, out.emplace()) : Status{};
}

Result<std::vector<std::string_view>> json_elements(std::string_view json) {
  RAGLINE_CHECK(check_json(json));
  JsonScanner scan(json);
  if (scan.next() != JsonToken::kOpenArray) return fail(ErrorKind::kData, "not a list: give [...]");
  std::vector<std::string_view> out;
  while (const auto value = scan.value()) out.push_back(*value);
  return out;
}

std::optional<std::string> json_scalar_text(std::string_view json) {
  if (json.empty() || json == "null" || json[0] == '{' || json[0] == '[') return std::nullopt;
  if (json[0] != '"') return std::string(json);
  std::string out;
  if (json.size() < 2 || !append_unescaped(out, json.substr(1, json.size() - 2)))
    return std::nullopt;
  return out;
}

}  // namespace ragline
