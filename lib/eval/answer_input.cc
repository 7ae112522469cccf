#include "eval/answer_input.h"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_set>

#include "core/text.h"
#include "eval/fields.h"
#include "record/object.h"
#include "record/reader.h"

namespace ragline {

namespace {

// One row in any of the forms; `at` is where it stands in the text.
struct Row {
  const char* at = nullptr;
  std::uint64_t line = 0;
  std::string_view json;                  // empty in TSV
  std::string_view id;                    // the key of a JSON object of rows, or a TSV's
  std::vector<std::string_view> columns;  // TSV only, behind the id
};
using TakeRow = std::function<Status(const Row&)>;

// One JSON object over several lines, or on one, whose first value is an object.
bool is_object_of_rows(std::string_view bytes) {
  JsonScanner scan(bytes);
  return scan.next() == JsonToken::kOpenObject && scan.next() == JsonToken::kKey &&
         scan.next() == JsonToken::kOpenObject;
}

Status each_member(const InputText& text, std::string_view bytes, const TakeRow& take,
                   BadRows* bad) {
  if (auto status = check_json(bytes); !status)
    return BadRows::stop(bad, RowFault::kJson, text.error_at(bytes.data(), status.error().message));
  Status inner;
  const char* counted = text.bytes().data();
  std::uint64_t line = 1;
  visit_members(bytes, [&](const Field& field) {
    const char* const at = field.raw.data();
    line += static_cast<std::uint64_t>(std::count(counted, at, '\n'));
    counted = at;
    const std::string id(field.key);
    inner = take({at, line, field.raw, id, {}});
    return inner.has_value();
  });
  return inner;
}

Status each_row(const InputText& text, const TakeRow& take, BadRows* bad) {
  const std::string_view bytes = without_mark(text.bytes());
  if (is_object_of_rows(bytes)) return each_member(text, bytes, take, bad);
  LineWalker lines(bytes);
  std::string_view line;
  for (std::uint64_t number = 1; lines.next(line); ++number) {
    const std::string_view row = trim(line);
    if (row.empty() || row.starts_with('#')) continue;
    Row out;
    out.at = row.data();
    out.line = number;
    if (row.starts_with('{')) {
      out.json = row;
    } else {
      if (line.ends_with('\r')) line.remove_suffix(1);
      out.columns = split(line, '\t');
      if (out.columns.size() < 2) {
        RAGLINE_CHECK(BadRows::note(
            bad, RowFault::kShort, text, row.data(),
            "neither JSON nor two columns: give records, JSON rows, or a TSV of query and answer"));
        continue;
      }
      out.id = out.columns.front();
      out.columns.erase(out.columns.begin());
    }
    RAGLINE_CHECK(take(out));
  }
  return {};
}

// Whether the row is a record of another type than `wanted`. Rows that are no records of ours may
// have a `type` that means something else.
Result<bool> is_other_type(const JsonMembers& members, std::string_view wanted) {
  constexpr std::array<std::string_view, 7> kTypes = {"query", "hit",   "context", "answer",
                                                      "case",  "trace", "end"};
  std::string type;
  RAGLINE_CHECK(members.text({"type"}, type));
  return type != wanted && std::ranges::find(kTypes, type) != kTypes.end();
}

Status need_id(const std::string& id) {
  if (!id.empty()) return {};
  return fail(ErrorKind::kData, "no query_id: give each row the id of its query");
}

// A string, or a list of strings.
Result<Aliases> read_aliases(std::string_view json) {
  if (auto scalar = json_scalar_text(json)) return Aliases{std::move(*scalar)};
  Aliases out;
  RAGLINE_TRY(const auto values, json_elements(json));
  for (const std::string_view value : values) {
    auto scalar = json_scalar_text(value);
    if (!scalar)
      return fail(ErrorKind::kData,
                  "an answer is a string, a list of strings, or a list of such lists");
    out.push_back(std::move(*scalar));
  }
  return out;
}

// All strings: aliases of one item, unless `as_items`. Any list among them: items.
Result<std::vector<Aliases>> read_items(std::string_view json, bool as_items) {
  std::vector<Aliases> items;
  if (!json.starts_with('[')) {
    RAGLINE_TRY(items.emplace_back(), read_aliases(json));
    return items;
  }
  RAGLINE_TRY(const auto values, json_elements(json));
  for (const std::string_view value : values) as_items = as_items || value.starts_with('[');
  if (!as_items) {
    RAGLINE_TRY(items.emplace_back(), read_aliases(json));
    if (items.back().empty()) items.pop_back();
    return items;
  }
  for (const std::string_view value : values) {
    RAGLINE_TRY(items.emplace_back(), read_aliases(value));
  }
  return items;
}

Result<bool> take_case_json(const Row& row, AnswerCase& out) {
  RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(row.json));
  RAGLINE_TRY(const bool other, is_other_type(members, "case"));
  if (other) return false;
  RAGLINE_CHECK(members.id({"query_id", "id", "_id", "qid"}, out.query_id));
  RAGLINE_CHECK(members.text({"query", "question"}, out.query));
  out.rgb = members.find("positive") && members.find("negative");
  if (const Field* answer = members.find({"expected_answer", "answer", "answers", "gold"})) {
    RAGLINE_TRY(out.items, read_items(answer->raw, out.rgb));
  }
  std::optional<bool> unanswerable;
  RAGLINE_CHECK(members.flag("unanswerable", unanswerable));
  out.unanswerable = unanswerable.value_or(false);
  if (out.rgb) {
    if (const Field* fake = members.find("fakeanswer")) {
      RAGLINE_TRY(out.fake, read_aliases(fake->raw));
    }
    out.rgb_integration = members.find("answer1") && members.find("answer2");
  }
  out.row = row.json;
  out.line = row.line;
  return true;
}

Status read_judgement(const JsonMembers& members, std::optional<bool>& out) {
  const Field* field = members.find("correct");
  if (!field) return {};
  if (field->raw == "1" || field->raw == "0") {
    out = field->raw == "1";
    return {};
  }
  return read_flag(*field, out.emplace());
}

// Evidence ids as they are, and objects with an evidence_id.
Status read_citations(const JsonMembers& members, std::vector<std::string>& out) {
  const Field* field = members.find("citations");
  if (!field) return {};
  RAGLINE_TRY(const auto values, json_elements(field->raw));
  for (const std::string_view value : values) {
    if (auto scalar = json_scalar_text(value)) {
      out.push_back(std::move(*scalar));
      continue;
    }
    RAGLINE_TRY(const JsonMembers citation, JsonMembers::parse(value));
    RAGLINE_CHECK(citation.id({"evidence_id", "id"}, out.emplace_back()));
  }
  return {};
}

Result<bool> take_answer_json(const Row& row, GivenAnswer& out) {
  RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(row.json));
  RAGLINE_TRY(const bool other, is_other_type(members, "answer"));
  if (other) return false;
  RAGLINE_CHECK(members.id({"query_id", "id", "_id", "qid"}, out.query_id));
  if (const Field* answer = members.find({"answer", "prediction", "response", "output"})) {
    RAGLINE_TRY(Aliases texts, read_aliases(answer->raw));
    if (answer->raw.starts_with('[')) out.items = texts;
    for (const std::string& text : texts) append(out.answer, out.answer.empty() ? "" : ", ", text);
  }
  RAGLINE_CHECK(members.flag("refused", out.refused));
  RAGLINE_CHECK(read_judgement(members, out.correct));
  RAGLINE_CHECK(members.number("noise_rate", out.noise_rate));
  RAGLINE_CHECK(read_citations(members, out.citations));
  out.row = row.json;
  return true;
}

// The rows as values; `key` tells which of them may not come twice.
template <class T, class TakeJson, class TakeColumns, class Key>
Result<std::vector<T>> parse_rows(const InputText& text, TakeJson take_json,
                                  TakeColumns take_columns, Key key, std::string_view nothing,
                                  BadRows* bad) {
  std::vector<T> out;
  std::unordered_set<std::string> seen;
  // False for a record of another type.
  const auto read = [&](const Row& row, T& value) -> Result<bool> {
    value.query_id = row.id;
    if (row.json.empty()) {
      take_columns(row, value);
    } else {
      RAGLINE_TRY(const bool wanted, take_json(row, value));
      if (!wanted) return false;
    }
    RAGLINE_CHECK(need_id(value.query_id));
    return true;
  };
  const auto take = [&](const Row& row) -> Status {
    T value;
    const auto wanted = read(row, value);
    if (!wanted)
      return BadRows::note(bad, row.json.empty() ? RowFault::kMember : json_fault(row.json), text,
                           row.at, wanted.error().message);
    if (!*wanted) return {};
    if (!seen.insert(key(value)).second)
      return BadRows::note(bad, RowFault::kDuplicate, text, row.at,
                           cat("query '", value.query_id, "' comes twice: keep one of the rows"));
    out.push_back(std::move(value));
    return {};
  };
  RAGLINE_CHECK(each_row(text, take, bad));
  if (out.empty())
    return BadRows::stop(bad, RowFault::kEmpty,
                         {ErrorKind::kData, cat(text.name(), ": ", nothing)});
  return out;
}

}  // namespace

Result<std::vector<AnswerCase>> parse_cases(const InputText& text, BadRows* bad) {
  return parse_rows<AnswerCase>(
      text, take_case_json,
      [](const Row& row, AnswerCase& out) {
        out.items = {Aliases(row.columns.begin(), row.columns.end())};
        out.line = row.line;
      },
      [](const AnswerCase& value) { return value.query_id; },
      "no case in it: give case records, or rows with a query id and an answer", bad);
}

Result<std::vector<GivenAnswer>> parse_answers(const InputText& text, BadRows* bad) {
  return parse_rows<GivenAnswer>(
      text, take_answer_json,
      [](const Row& row, GivenAnswer& out) { out.answer = row.columns.front(); },
      // RGB's runs answer each question once at each noise rate.
      [](const GivenAnswer& value) {
        return value.noise_rate ? cat(value.query_id, "\t", number_text(*value.noise_rate))
                                : value.query_id;
      },
      "no answer in it: give answer records, or rows with a query id and an answer", bad);
}

Result<std::vector<AnswerCase>> read_cases(const std::string& path, BadRows* bad) {
  RAGLINE_TRY(const InputText text, InputText::open(path));
  return parse_cases(text, bad);
}

Result<std::vector<GivenAnswer>> read_answers(const std::string& path, BadRows* bad) {
  RAGLINE_TRY(const InputText text, InputText::open(path));
  return parse_answers(text, bad);
}

}  // namespace ragline
