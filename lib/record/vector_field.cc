#include "record/vector_field.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/bytes.h"
#include "core/text.h"
#include "record/base64.h"
#include "record/object.h"
#include "record/writer.h"

namespace ragline {

namespace {

Status read_base64(std::string_view inside, std::vector<float>& out) {
  const auto bytes = base64_decode(inside);
  if (!bytes || bytes->size() % sizeof(float) != 0)
    return fail(ErrorKind::kData, "the vector is a string, but not base64 of 4-byte floats");
  for (std::size_t at = 0; at < bytes->size(); at += sizeof(float))
    out.push_back(get_fixed<float>(bytes->data() + at));
  return {};
}

// Thousands of numbers a record: read in place, without a token each.
Status read_list(std::string_view json, std::vector<float>& out) {
  const char* at = json.data() + 1;
  const char* const end = json.data() + json.size() - 1;
  const auto skip = [&] {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) ++at;
  };
  for (skip(); at < end; skip()) {
    float value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    // A value below float's range is as good as zero; "inf" and "nan" are no JSON, and too large
    // ones are refused with those.
    if (error == std::errc::invalid_argument || next == at)
      return fail(ErrorKind::kData, "the vector holds something that is no number");
    if (error == std::errc::result_out_of_range) {
      double wide = 0;
      std::from_chars(at, end, wide);
      value = static_cast<float>(wide);
    }
    out.push_back(value);
    at = next;
    skip();
    if (at < end && *at++ != ',')
      return fail(ErrorKind::kData, "the vector holds something that is no number");
  }
  return {};
}

Status read_values(std::string_view json, std::vector<float>& out) {
  if (json.size() >= 2 && json[0] == '[') return read_list(json, out);
  if (json.size() >= 2 && json[0] == '"') return read_base64(json.substr(1, json.size() - 2), out);
  return fail(ErrorKind::kData,
              "the vector is no list of numbers, base64 of floats, or object with `data`");
}

}  // namespace

Result<VectorField> read_vector(std::string_view json) {
  VectorField field;
  if (json.starts_with('{')) {
    RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(json));
    RAGLINE_CHECK(members.text({"model"}, field.model));
    const Field* const data = members.find("data");
    RAGLINE_CHECK(read_values(data ? data->raw : "", field.values));
  } else {
    RAGLINE_CHECK(read_values(json, field.values));
  }
  if (field.values.empty()) return fail(ErrorKind::kData, "the vector is empty");
  if (!std::ranges::all_of(field.values, [](float x) { return std::isfinite(x); }))
    return fail(ErrorKind::kData, "the vector holds NaN or infinity");
  if (std::ranges::all_of(field.values, [](float x) { return x == 0; }))
    return fail(ErrorKind::kData, "the vector is all zeros, which has no direction");
  return field;
}

std::string vector_json(std::span<const float> values, std::string_view model) {
  std::string bytes, out;
  for (const float value : values) put_fixed(bytes, value);
  JsonObject(out).add("model", model).add("data", base64_encode(bytes)).close();
  return out;
}

}  // namespace ragline
