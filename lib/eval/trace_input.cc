#include "eval/trace_input.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "core/text.h"
#include "eval/json_rows.h"
#include "record/object.h"
#include "record/time.h"

namespace ragline {

namespace {

// A call as it stands in the file, before its trace is put together.
struct Row {
  Call call;
  std::string trace_id, query_id;
  std::optional<std::uint64_t> step;
  std::uint64_t start_ns = 0;
};

CallKind kind_of(std::string_view name, std::string_view operation) {
  const auto has = [](std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words,
                               [&](std::string_view word) { return text.find(word) != text.npos; });
  };
  const std::string tool = ascii_lower(name), what = ascii_lower(operation);
  if (has(what, {"chat", "text_completion", "generate_content"}) || tool == "model" ||
      tool == "chat")
    return CallKind::kModel;
  if (has(tool, {"grep", "scan", "ast-"})) return CallKind::kScan;
  if (has(tool, {"read", "peek", "cat", "head", "tail"})) return CallKind::kRead;
  return CallKind::kTool;
}

Result<std::optional<CallKind>> kind_named(const std::string& name) {
  if (name.empty()) return std::optional<CallKind>();
  for (const CallKind kind : {CallKind::kTool, CallKind::kScan, CallKind::kRead, CallKind::kModel})
    if (name == call_kind_name(kind)) return std::optional(kind);
  return fail(ErrorKind::kData,
              cat("field 'kind' is '", name, "': give tool, scan, read or model"));
}

Result<SeenEvidence> read_evidence(std::string_view json) {
  SeenEvidence out;
  RAGLINE_TRY(out.span, read_evidence_span(json));
  if (!json.starts_with('{')) return out;
  RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(json));
  std::string indexed, modified;
  RAGLINE_CHECK(members.text({"indexed_at"}, indexed));
  RAGLINE_CHECK(members.text({"modified_at"}, modified));
  if (indexed.empty() || modified.empty()) return out;
  RAGLINE_TRY(const TimePoint when_indexed, parse_time(indexed));
  RAGLINE_TRY(const TimePoint when_modified, parse_time(modified));
  out.lag_s = std::max(0.0, static_cast<double>(when_modified - when_indexed) / 1e6);
  return out;
}

Status read_count(const JsonMembers& members, std::string_view name, std::uint64_t& out) {
  std::optional<std::uint64_t> value;
  RAGLINE_CHECK(members.count(name, value));
  out = value.value_or(out);
  return {};
}

Status read_double(const JsonMembers& members, std::string_view name, double& out) {
  std::optional<double> value;
  RAGLINE_CHECK(members.number(name, value));
  if (value.value_or(0) < 0)
    return fail(ErrorKind::kData,
                cat("field '", name, "' is ", number_text(*value), ": give a number from 0 up"));
  out = value.value_or(out);
  return {};
}

Status read_record(const JsonMembers& members, Row& row) {
  Call& call = row.call;
  RAGLINE_CHECK(members.text({"trace_id"}, row.trace_id));
  RAGLINE_CHECK(members.id({"query_id"}, row.query_id));
  RAGLINE_CHECK(members.text({"tool"}, call.tool));
  RAGLINE_CHECK(members.count("step", row.step));
  RAGLINE_CHECK(members.count("round", call.round));
  RAGLINE_CHECK(members.count("hits", call.hits));
  RAGLINE_CHECK(read_count(members, "bytes_scanned", call.bytes_scanned));
  RAGLINE_CHECK(read_count(members, "files", call.files));
  RAGLINE_CHECK(read_count(members, "tokens", call.tokens));
  RAGLINE_CHECK(read_count(members, "reasoning_tokens", call.reasoning_tokens));
  RAGLINE_CHECK(read_double(members, "elapsed_ms", call.elapsed_ms));
  RAGLINE_CHECK(read_double(members, "cost", call.cost));
  RAGLINE_CHECK(members.text({"error"}, call.error));
  std::optional<bool> retry;
  RAGLINE_CHECK(members.flag("retry", retry));
  call.retry = retry.value_or(false);
  std::uint64_t input = 0, output = 0;
  RAGLINE_CHECK(read_count(members, "input_tokens", input));
  RAGLINE_CHECK(read_count(members, "output_tokens", output));
  if (call.tokens == 0) call.tokens = input + output;
  if (const Field* arguments = members.find("arguments")) call.arguments = arguments->raw;
  std::string kind;
  RAGLINE_CHECK(members.text({"kind"}, kind));
  RAGLINE_TRY(const std::optional<CallKind> named, kind_named(kind));
  call.kind = named.value_or(kind_of(call.tool, ""));
  if (row.trace_id.empty())
    return fail(ErrorKind::kData, "no trace_id: give each call the id of its trace");
  if (const Field* evidence = members.find("evidence")) {
    RAGLINE_TRY(const auto values, json_elements(evidence->raw));
    for (const std::string_view value : values) {
      RAGLINE_TRY(call.evidence.emplace_back(), read_evidence(value));
    }
  }
  return {};
}

// The attributes of a span as text: {"key": ..., "value": {"stringValue": ...}} or plain members.
Result<std::map<std::string, std::string>> read_attributes(std::string_view json) {
  std::map<std::string, std::string> out;
  if (json.starts_with('{')) {
    RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(json));
    for (const Field& field : members.fields())
      out[std::string(field.key)] = json_scalar_text(field.raw).value_or(std::string(field.raw));
    return out;
  }
  RAGLINE_TRY(const auto values, json_elements(json));
  for (const std::string_view value : values) {
    RAGLINE_TRY(const JsonMembers pair, JsonMembers::parse(value));
    std::string key;
    RAGLINE_CHECK(pair.text({"key"}, key));
    const Field* typed = pair.find("value");
    if (!typed) continue;
    RAGLINE_TRY(const JsonMembers inner, JsonMembers::parse(typed->raw));
    for (const Field& field : inner.fields())
      out[key] = json_scalar_text(field.raw).value_or(std::string(field.raw));
  }
  return out;
}

std::uint64_t count_in(const std::map<std::string, std::string>& attributes,
                       const std::string& name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? 0
                                   : static_cast<std::uint64_t>(std::max<std::int64_t>(
                                         0, parse_integer(found->second).value_or(0)));
}

// False for a span that is no call: the agent's own, which holds the others.
Result<bool> read_span(const JsonMembers& members, Row& row) {
  Call& call = row.call;
  std::string name, begin, end;
  RAGLINE_CHECK(members.id({"traceId", "trace_id"}, row.trace_id));
  RAGLINE_CHECK(members.text({"name"}, name));
  RAGLINE_CHECK(members.id({"startTimeUnixNano", "start_time_unix_nano"}, begin));
  RAGLINE_CHECK(members.id({"endTimeUnixNano", "end_time_unix_nano"}, end));
  std::map<std::string, std::string> attributes;
  if (const Field* field = members.find("attributes")) {
    RAGLINE_TRY(attributes, read_attributes(field->raw));
  }
  const auto text = [&](const char* key) {
    const auto found = attributes.find(key);
    return found == attributes.end() ? std::string() : found->second;
  };
  const std::string operation = text("gen_ai.operation.name").empty()
                                    ? name.substr(0, name.find(' '))
                                    : text("gen_ai.operation.name");
  if (operation == "invoke_agent" || operation == "create_agent") return false;
  call.tool = text("gen_ai.tool.name");
  if (call.tool.empty()) call.tool = operation;
  call.arguments = text("gen_ai.tool.call.arguments");
  if (call.arguments.empty()) call.arguments = text("gen_ai.retrieval.query.text");
  call.kind = kind_of(call.tool, operation);
  call.error = text("error.type");
  call.tokens = count_in(attributes, "gen_ai.usage.input_tokens") +
                count_in(attributes, "gen_ai.usage.output_tokens");
  call.reasoning_tokens = count_in(attributes, "gen_ai.usage.reasoning_tokens");
  row.query_id = text("ragline.query_id");
  row.start_ns = static_cast<std::uint64_t>(parse_integer(begin).value_or(0));
  const auto stop = static_cast<std::uint64_t>(parse_integer(end).value_or(0));
  if (stop > row.start_ns) call.elapsed_ms = static_cast<double>(stop - row.start_ns) / 1e6;
  if (row.trace_id.empty())
    return fail(ErrorKind::kData, "no traceId: give each span the id of its trace");
  return true;
}

Result<bool> read_row(std::string_view json, Row& row) {
  RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(json));
  std::string type;
  RAGLINE_CHECK(members.text({"type"}, type));
  if (members.find({"spanId", "span_id"})) return read_span(members, row);
  if (!type.empty() && type != "trace") return false;
  RAGLINE_CHECK(read_record(members, row));
  return true;
}

// The calls of one trace: those of whole runs, with the evidence of their steps; else all.
void put_together(std::vector<Row>& rows, Trajectory& out) {
  std::ranges::stable_sort(rows, {}, &Row::start_ns);
  const bool has_runs = std::ranges::any_of(rows, [](const Row& row) { return row.step == 0u; });
  std::vector<SeenEvidence> pending;  // of steps, which come before the record of their run
  for (Row& row : rows) {
    if (out.query_id.empty()) out.query_id = row.query_id;
    if (has_runs && row.step && *row.step > 0) {
      std::ranges::move(row.call.evidence, std::back_inserter(pending));
      continue;
    }
    std::ranges::move(pending, std::back_inserter(row.call.evidence));
    pending.clear();
    out.calls.push_back(std::move(row.call));
  }
  if (out.query_id.empty()) out.query_id = out.trace_id;
}

}  // namespace

const char* call_kind_name(CallKind kind) {
  constexpr std::array<const char*, 4> names = {"tool", "scan", "read", "model"};
  return names[static_cast<std::size_t>(kind)];
}

Result<std::vector<Trajectory>> parse_traces(const InputText& text, BadRows* bad) {
  std::vector<std::string> order;
  std::unordered_map<std::string, std::vector<Row>> by_trace;
  RAGLINE_CHECK(each_json_row(text, bad, [&](std::string_view json, RowFault&) -> Status {
    Row row;
    RAGLINE_TRY(const bool is_call, read_row(json, row));
    if (!is_call) return {};
    // Several queries may share a trace id, when one run answers a file of them.
    const std::string key = cat(row.trace_id, "\t", row.query_id);
    if (!by_trace.contains(key)) order.push_back(key);
    by_trace[key].push_back(std::move(row));
    return {};
  }));
  std::vector<Trajectory> out;
  for (const std::string& key : order) {
    std::vector<Row>& rows = by_trace[key];
    out.push_back({rows.front().trace_id, rows.front().query_id, {}});
    put_together(rows, out.back());
  }
  if (out.empty())
    return BadRows::stop(
        bad, RowFault::kEmpty,
        {ErrorKind::kData, cat(text.name(), ": no call in it: give trace records or GenAI spans")});
  return out;
}

Result<std::vector<Trajectory>> read_traces(const std::string& path, BadRows* bad) {
  RAGLINE_TRY(const InputText text, InputText::open(path));
  return parse_traces(text, bad);
}

}  // namespace ragline
