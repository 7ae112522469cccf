#include "record/field.h"

#include <charconv>

#include "core/text.h"
#include "core/utf8.h"
#include "record/base64.h"
#include "record/json_scan.h"

namespace ragline {

namespace {

std::string describe(std::string_view raw) {
  switch (raw[0]) {
    case '"':
      return "a string";
    case '{':
      return "an object";
    case '[':
      return "a list";
    default:
      return std::string(raw.substr(0, utf8_floor(raw, 40)));
  }
}

std::unexpected<Error> wrong(const Field& field, std::string_view right) {
  // What is not JSON at all is said first: "field 'rank' is 01" would send the reader looking for a
  // rule about ranks.
  if (auto status = check_json_grammar(field.raw); !status) return std::unexpected(status.error());
  return fail(ErrorKind::kData,
              cat("field '", field.key, "' is ", describe(field.raw), ": give ", right));
}

bool is_null(const Field& field) { return field.raw == "null"; }

// The string's text in `out`, replacing it. False unless `raw` is a string.
bool string_of(std::string_view raw, std::string& out) {
  if (raw.size() < 2 || raw.front() != '"' || raw.back() != '"') return false;
  raw = raw.substr(1, raw.size() - 2);
  out.clear();
  return append_unescaped(out, raw);
}

std::optional<double> number_of(std::string_view raw) {
  if (!check_json_grammar(raw) || (raw[0] != '-' && (raw[0] < '0' || raw[0] > '9')))
    return std::nullopt;
  return parse_double(raw);
}

// Two whole numbers in a list, the first at most the second. By hand: nearly every record has such
// spans.
bool read_pair(const Field& field, std::uint64_t& first, std::uint64_t& second) {
  std::string_view rest = field.raw;
  auto number = [&](char before, char behind, std::uint64_t& out) {
    if (!rest.starts_with(before)) return false;
    const std::size_t end = rest.find(behind);
    if (end == rest.npos) return false;
    const auto value = count_of(trim(rest.substr(1, end - 1)));
    rest.remove_prefix(end);
    out = value.value_or(0);
    return value.has_value();
  };
  return number('[', ',', first) && number(',', ']', second) && rest == "]" && first <= second;
}

}  // namespace

std::optional<std::uint64_t> count_of(std::string_view raw) {
  std::uint64_t value = 0;
  if (raw.size() > 1 && raw[0] == '0') return std::nullopt;
  const auto [end, error] = std::from_chars(raw.data(), raw.data() + raw.size(), value);
  if (error != std::errc() || end != raw.data() + raw.size()) return std::nullopt;
  return value;
}

Status read_text(const Field& field, std::string& out) {
  if (string_of(field.raw, out)) return {};
  if (!is_null(field)) return wrong(field, "a string");
  out.clear();
  return {};
}

Status read_count(const Field& field, std::uint64_t& out) {
  const auto value = is_null(field) ? std::optional<std::uint64_t>(0) : count_of(field.raw);
  if (!value) return wrong(field, "a whole number from 0 to 18446744073709551615");
  out = *value;
  return {};
}

Status read_optional_count(const Field& field, std::optional<std::uint64_t>& out) {
  if (is_null(field)) {
    out.reset();
    return {};
  }
  return read_count(field, out.emplace());
}

Status read_number(const Field& field, double& out) {
  const auto value = is_null(field) ? std::optional<double>(0) : number_of(field.raw);
  if (!value) return wrong(field, "a number within the range of a double");
  out = *value;
  return {};
}

Status read_flag(const Field& field, bool& out) {
  if (field.raw != "true" && field.raw != "false") return wrong(field, "true or false");
  out = field.raw == "true";
  return {};
}

Status read_list(const Field& field, std::vector<std::string>& out) {
  out.clear();
  if (is_null(field)) return {};
  JsonScanner scan(field.raw);
  if (scan.next() != JsonToken::kOpenArray) return wrong(field, "a list of strings");
  while (scan.next() == JsonToken::kString)
    if (!append_unescaped(out.emplace_back(), scan.raw())) return wrong(field, "a list of strings");
  if (scan.last() != JsonToken::kCloseArray || scan.next() != JsonToken::kEnd) {
    if (auto status = check_json_grammar(field.raw); !status) return status;
    return fail(ErrorKind::kData, cat("field '", field.key, "' holds something else than strings: ",
                                      "give a list of strings"));
  }
  return {};
}

Status read_optional_list(const Field& field, std::optional<std::vector<std::string>>& out) {
  out.reset();
  if (is_null(field)) return {};
  return read_list(field, out.emplace());
}

Status read_lines(const Field& field, std::optional<LineSpan>& out) {
  out.reset();
  if (is_null(field)) return {};
  auto& span = out.emplace();
  if (read_pair(field, span.first, span.last) && span.first >= 1) return {};
  return wrong(field, "[first, last], whole numbers with 1 <= first <= last");
}

Status read_bytes(const Field& field, std::optional<ByteSpan>& out) {
  out.reset();
  if (is_null(field)) return {};
  auto& span = out.emplace();
  if (read_pair(field, span.begin, span.end)) return {};
  return wrong(field, "[begin, end], whole numbers with 0 <= begin <= end");
}

Status read_base64(const Field& field, std::string& out) {
  std::string text;
  RAGLINE_CHECK(read_text(field, text));
  auto bytes = base64_decode(text);
  if (!bytes)
    return fail(ErrorKind::kData, cat("field '", field.key, "' is not base64: ",
                                      "give the standard alphabet with its '=' padding"));
  out = std::move(*bytes);
  return {};
}

Status read_json(const Field& field, char opening, RawJson& out) {
  out.clear();
  if (is_null(field)) return {};
  if (opening && field.raw[0] != opening)
    return wrong(field, opening == '{' ? "an object" : "a list");
  RAGLINE_CHECK(check_kept(field.raw));
  out = field.raw;
  return {};
}

Status read_scores(const Field& field, std::vector<ArmScore>& out) {
  out.clear();
  if (is_null(field)) return {};
  const bool good = visit_members(field.raw, [&](const Field& arm) {
    ArmScore& score = out.emplace_back();
    score.arm = arm.key;
    return visit_members(arm.raw, [&](const Field& part) {
      if (part.key == "score") return read_number(part, score.score).has_value();
      if (part.key == "rank") return read_count(part, score.rank).has_value();
      return keep_field(part, score.extra).has_value();
    });
  });
  if (good) return {};
  return wrong(field, "{\"arm\": {\"score\": number, \"rank\": whole number}, ...}");
}

Status read_counts(const Field& field, std::vector<std::pair<std::string, std::uint64_t>>& out) {
  out.clear();
  if (is_null(field)) return {};
  const bool good = visit_members(field.raw, [&](const Field& part) {
    return read_count(part, out.emplace_back(part.key, 0).second).has_value();
  });
  if (good) return {};
  return wrong(field, "an object of whole numbers");
}

Status read_numbers(const Field& field, std::vector<std::pair<std::string, double>>& out) {
  out.clear();
  if (is_null(field)) return {};
  const bool good = visit_members(field.raw, [&](const Field& part) {
    return read_number(part, out.emplace_back(part.key, 0).second).has_value();
  });
  if (good) return {};
  return wrong(field, "an object of numbers");
}

Status check_kept(std::string_view raw) {
  if (raw.find('\n') != raw.npos)
    return fail(ErrorKind::kData, "a line break inside a record: give one object a line (jq -c)");
  return check_json_grammar(raw);
}

Status keep_field(const Field& field, std::string& extra) {
  RAGLINE_CHECK(check_kept(field.raw));
  if (!extra.empty()) extra += ',';
  append(extra, field.raw_key, ':', field.raw);
  return {};
}

}  // namespace ragline
