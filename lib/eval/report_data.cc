#include "eval/report_data.h"

#include <algorithm>

#include "core/text.h"
#include "eval/json_rows.h"
#include "record/object.h"

namespace ragline {

namespace {

Status number(const JsonMembers& members, std::string_view name, double& out) {
  std::optional<double> value;
  RAGLINE_CHECK(members.number(name, value));
  out = value.value_or(out);
  return {};
}

Status count(const JsonMembers& members, std::string_view name, std::uint64_t& out) {
  std::optional<std::uint64_t> value;
  RAGLINE_CHECK(members.count(name, value));
  out = value.value_or(out);
  return {};
}

Status interval(const JsonMembers& members, std::optional<Interval>& out) {
  std::optional<double> low, high;
  RAGLINE_CHECK(members.number("low", low));
  RAGLINE_CHECK(members.number("high", high));
  if (low && high) out = Interval{*low, *high};
  return {};
}

Status add_measure(const JsonMembers& members, ReportData& data, ReportRun& run) {
  std::string measure, query, by, group, method;
  ReportValue value;
  RAGLINE_CHECK(members.text({"measure"}, measure));
  RAGLINE_CHECK(members.id({"query_id"}, query));
  RAGLINE_CHECK(members.text({"by"}, by));
  RAGLINE_CHECK(members.text({"group"}, group));
  RAGLINE_CHECK(members.text({"method"}, method));
  RAGLINE_CHECK(number(members, "value", value.value));
  RAGLINE_CHECK(count(members, "queries", value.queries));
  RAGLINE_CHECK(interval(members, value.interval));
  if (measure.empty())
    return fail(ErrorKind::kData, "a measure without its name: give what rag-eval writes");
  if (!method.empty()) append(measure, " (", method, ")");
  if (!query.empty()) {
    run.queries[measure][query] = value.value;
  } else if (!by.empty()) {
    data.by = by;
    run.groups[measure][group] = value;
  } else {
    if (!run.means.contains(measure)) run.measures.push_back(measure);
    run.means[measure] = value;
  }
  return {};
}

Status add_comparison(const JsonMembers& members, ReportData& data) {
  ReportComparison out;
  RAGLINE_CHECK(members.text({"measure"}, out.measure));
  RAGLINE_CHECK(members.text({"group"}, out.group));
  RAGLINE_CHECK(members.text({"run_a"}, out.run_a));
  RAGLINE_CHECK(members.text({"run_b"}, out.run_b));
  RAGLINE_CHECK(members.text({"test"}, out.test));
  RAGLINE_CHECK(number(members, "difference", out.difference));
  RAGLINE_CHECK(number(members, "p", out.p));
  RAGLINE_CHECK(members.number("p_adjusted", out.adjusted));
  RAGLINE_CHECK(interval(members, out.interval));
  RAGLINE_CHECK(count(members, "wins", out.wins));
  RAGLINE_CHECK(count(members, "ties", out.ties));
  RAGLINE_CHECK(count(members, "losses", out.losses));
  data.comparisons.push_back(std::move(out));
  return {};
}

Status add_score(const JsonMembers& members, ReportRun& run) {
  std::string query;
  RAGLINE_CHECK(members.id({"query_id"}, query));
  const Field* scores = members.find("scores");
  if (!scores) return {};
  RAGLINE_TRY(const JsonMembers values, JsonMembers::parse(scores->raw));
  for (const Field& field : values.fields()) {
    double value = 0;
    RAGLINE_CHECK(read_number(field, value));
    run.queries[std::string(field.key)][query] = value;
  }
  return {};
}

Status add_quantiles(const JsonMembers& members, ReportRun& run) {
  std::string measure;
  RAGLINE_CHECK(members.text({"measure"}, measure));
  ReportQuantiles& out = run.quantiles[measure];
  RAGLINE_CHECK(number(members, "p50", out.p50));
  RAGLINE_CHECK(number(members, "p95", out.p95));
  return number(members, "p99", out.p99);
}

Status add_failures(const JsonMembers& members, ReportRun& run) {
  std::string failure;
  RAGLINE_CHECK(members.text({"failure"}, failure));
  RAGLINE_CHECK(count(members, "queries", run.failures[failure]));
  return members.list("examples", run.examples[failure]);
}

Status add_record(const JsonMembers& members, const std::string& name, ReportData& data) {
  std::string type, run_name = name;
  RAGLINE_CHECK(members.text({"type"}, type));
  RAGLINE_CHECK(members.text({"run"}, run_name));
  if (type == "comparison") return add_comparison(members, data);
  if (type == "measure") return add_measure(members, data, data.run(run_name));
  if (type == "score") return add_score(members, data.run(run_name));
  if (type == "quantiles") return add_quantiles(members, data.run(run_name));
  if (type == "failures") return add_failures(members, data.run(run_name));
  return {};
}

}  // namespace

ReportRun& ReportData::run(const std::string& name) {
  const auto found = std::ranges::find(runs, name, &ReportRun::name);
  if (found != runs.end()) return *found;
  runs.emplace_back();
  runs.back().name = name;
  return runs.back();
}

Status ReportData::add(const InputText& text, const std::string& name, BadRows* bad) {
  return each_json_row(text, bad, [&](std::string_view row, RowFault&) -> Status {
    RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(row));
    return add_record(members, name, *this);
  });
}

std::vector<std::string> measures_of(const ReportData& data) {
  std::vector<std::string> out;
  for (const ReportRun& run : data.runs)
    for (const std::string& measure : run.measures)
      if (std::ranges::find(out, measure) == out.end()) out.push_back(measure);
  return out;
}

std::optional<std::pair<std::string, double>> cutoff_of(std::string_view measure) {
  const std::size_t at = measure.rfind('@');
  if (at == measure.npos || at == 0) return std::nullopt;
  const auto number = parse_double(measure.substr(at + 1));
  if (!number || *number <= 0) return std::nullopt;
  return std::pair(std::string(measure.substr(0, at)), *number);
}

}  // namespace ragline
