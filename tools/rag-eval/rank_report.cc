#include "rag-eval/rank_report.h"

#include <algorithm>
#include <cmath>

#include "cli/terminal.h"
#include "core/text.h"
#include "rag-eval/end_record.h"
#include "rag-eval/trec.h"
#include "record/writer.h"

namespace ragline {

namespace {

std::string plural(std::uint64_t n, std::string_view one, std::string_view many) {
  return cat(count_text(n), " ", n == 1 ? one : many);
}

bool is_number(const Column& column) { return column.measure->info->mean != Mean::kLast; }

// What some queries do to the first of the means: "nDCG@10 0.4120 -> 0.3955".
std::string effect_text(const Evaluation& evaluation, const std::vector<double>& from,
                        const std::vector<double>& to) {
  for (std::size_t c = 0; c < evaluation.columns.size(); ++c)
    if (evaluation.columns[c].measure->info->mean == Mean::kArithmetic)
      return cat(evaluation.columns[c].name, " ", fixed_text(from[c], 4), " -> ",
                 fixed_text(to[c], 4));
  return "";
}

}  // namespace

std::string account_text(const Evaluation& evaluation, const EvaluationOptions& options) {
  const QueryAccount& account = evaluation.account;
  std::string text = cat(plural(account.both, "query", "queries"), " in both files");
  if (account.only_judged > 0) {
    append(text, "; ", count_text(account.only_judged), " judged but not in the run (");
    for (std::size_t i = 0; i < account.missing.size(); ++i)
      append(text, i ? ", " : "", account.missing[i]);
    append(text, account.only_judged > account.missing.size() ? ", ..." : "", "), ",
           options.complete ? "counted as empty" : "left out");
    const std::string effect = effect_text(evaluation, evaluation.means_both, evaluation.means);
    if (options.complete && !effect.empty()) append(text, ": ", effect);
  }
  if (account.only_run > 0) {
    append(text, "; ", count_text(account.only_run), " in the run without judgements, left out");
    const std::string effect = effect_text(evaluation, evaluation.means, evaluation.means_all);
    if (!effect.empty()) append(text, " (counted as 0: ", effect, ")");
  }
  if (account.nothing_relevant > 0)
    append(text, "; ", count_text(account.nothing_relevant),
           " with nothing relevant, counted as 0");
  if (account.tied_pairs > 0)
    append(text, "; ", plural(account.tied_pairs, "tied pair", "tied pairs"));
  for (const Column& column : evaluation.columns)
    if (column.straddled > 0)
      append(text, "; a tie goes over the cut-off of ", column.name, " in ",
             plural(column.straddled, "query", "queries"));
  return text;
}

RankReport::RankReport(ToolRun& run, const Evaluation& evaluation, const EvaluationOptions& options,
                       const BadRows& bad, const Grouping* grouping)
    : run_(run),
      evaluation_(evaluation),
      options_(options),
      bad_(bad),
      grouping_(grouping),
      digits_(static_cast<int>(run.flags.integer("digits"))) {}

Status RankReport::write() {
  const std::string_view format = run_.format();
  if (format == "jsonl") return write_records();
  if (format == "json") return write_json();
  if (format == "tsv") return write_tsv();
  return write_table(format == "markdown");
}

RankReport::Line RankReport::mean_line(std::size_t column, std::string group,
                                       const std::vector<double>& values) const {
  Line line{.column = column, .group = std::move(group), .queries = values.size()};
  const Mean mean = evaluation_.columns[column].measure->info->mean;
  double sum = 0;
  for (const double value : values) sum += value;
  const auto n = static_cast<double>(std::max<std::size_t>(values.size(), 1));
  line.value = mean == Mean::kSum ? sum : mean == Mean::kGeometric ? std::exp(sum / n) : sum / n;
  const auto samples = static_cast<std::uint32_t>(run_.flags.integer("samples"));
  if (mean != Mean::kArithmetic || samples == 0 || values.size() < 2) return line;
  const BootstrapMean bootstrap =
      bootstrap_mean(values, {.samples = samples,
                              .confidence = run_.flags.number("confidence"),
                              .seed = static_cast<std::uint64_t>(run_.flags.integer("seed"))});
  line.has_interval = true;
  line.interval = bootstrap.bca;
  line.standard_error = bootstrap.standard_error;
  return line;
}

std::vector<RankReport::Line> RankReport::lines() const {
  std::vector<Line> lines;
  if (run_.flags.on("no-summary")) return lines;
  for (std::size_t c = 0; c < evaluation_.columns.size(); ++c)
    if (is_number(evaluation_.columns[c])) lines.push_back(mean_line(c, "", evaluation_.column(c)));
  if (!grouping_) return lines;
  for (const auto& [group, places] : grouping_->groups(evaluation_))
    for (std::size_t c = 0; c < evaluation_.columns.size(); ++c) {
      if (!is_number(evaluation_.columns[c])) continue;
      std::vector<double> values;
      for (const std::size_t place : places) values.push_back(evaluation_.at(place, c));
      lines.push_back(mean_line(c, group.empty() ? "(none)" : group, values));
    }
  return lines;
}

std::string RankReport::record(const Line& line) const {
  const Column& column = evaluation_.columns[line.column];
  std::string out;
  JsonObject object(out);
  object.add("type", "measure").add("measure", column.name);
  if (!line.group.empty()) object.add("by", grouping_->field()).add("group", line.group);
  object.add("value", line.value).add("queries", static_cast<std::uint64_t>(line.queries));
  if (line.has_interval)
    object.add("low", line.interval.low)
        .add("high", line.interval.high)
        .add("confidence", run_.flags.number("confidence"))
        .add("standard_error", line.standard_error);
  if (line.group.empty() && evaluation_.account.only_judged > 0 && options_.complete)
    object.add("value_both", evaluation_.means_both[line.column]);
  if (line.group.empty() && evaluation_.account.only_run > 0 &&
      column.measure->info->mean == Mean::kArithmetic)
    object.add("value_all", evaluation_.means_all[line.column]);
  if (line.group.empty() && column.straddled > 0) object.add("straddled", column.straddled);
  object.close();
  return out;
}

std::string RankReport::query_record(std::size_t query, std::size_t column) const {
  std::string out;
  JsonObject object(out);
  object.add("type", "measure").add("measure", evaluation_.columns[column].name);
  object.add("query_id", evaluation_.queries[query]).add("value", evaluation_.at(query, column));
  object.close();
  return out;
}

std::string RankReport::closing_record() const {
  const QueryAccount& account = evaluation_.account;
  return end_record({{"queries", evaluation_.queries.size()},
                     {"queries_both", account.both},
                     {"queries_only_judged", account.only_judged},
                     {"queries_only_run", account.only_run},
                     {"queries_nothing_relevant", account.nothing_relevant},
                     {"hits", account.hits},
                     {"tied_pairs", account.tied_pairs}},
                    bad_);
}

Status RankReport::write_records() {
  if (run_.flags.on("per-query"))
    for (std::size_t q = 0; q < evaluation_.queries.size(); ++q)
      for (std::size_t c = 0; c < evaluation_.columns.size(); ++c)
        if (evaluation_.columns[c].measure->info->print != Print::kNever &&
            is_number(evaluation_.columns[c]))
          RAGLINE_CHECK(run_.out.write(query_record(q, c) + '\n'));
  for (const Line& line : lines()) RAGLINE_CHECK(run_.out.write(record(line) + '\n'));
  return run_.out.write(closing_record());
}

// The same records in one list.
Status RankReport::write_json() {
  std::string out = "[";
  const auto add = [&](std::string_view json) { append(out, out.size() > 1 ? ",\n " : "", json); };
  if (run_.flags.on("per-query"))
    for (std::size_t q = 0; q < evaluation_.queries.size(); ++q)
      for (std::size_t c = 0; c < evaluation_.columns.size(); ++c)
        if (is_number(evaluation_.columns[c])) add(query_record(q, c));
  for (const Line& line : lines()) add(record(line));
  add(trim(closing_record()));
  return run_.out.write(out + "]\n");
}

std::string RankReport::number(std::size_t column, double value) const {
  return evaluation_.columns[column].measure->info->print == Print::kCount
             ? cat(static_cast<std::int64_t>(value))
             : fixed_text(value, digits_);
}

Status RankReport::write_tsv() {
  std::string out = "measure\tquery\tgroup\tvalue\tlow\thigh\tqueries\n";
  if (run_.flags.on("per-query"))
    for (std::size_t q = 0; q < evaluation_.queries.size(); ++q)
      for (std::size_t c = 0; c < evaluation_.columns.size(); ++c)
        if (is_number(evaluation_.columns[c]))
          append(out, evaluation_.columns[c].name, '\t', evaluation_.queries[q], "\t\t",
                 number(c, evaluation_.at(q, c)), "\t\t\t1\n");
  for (const Line& line : lines())
    append(out, evaluation_.columns[line.column].name, "\tall\t", line.group, '\t',
           number(line.column, line.value), '\t',
           line.has_interval ? number(line.column, line.interval.low) : "", '\t',
           line.has_interval ? number(line.column, line.interval.high) : "", '\t', line.queries,
           '\n');
  RAGLINE_CHECK(run_.out.write(out));
  run_.note(account_text(evaluation_, options_));
  return {};
}

Status RankReport::write_table(bool markdown) {
  std::vector<std::vector<std::string>> rows{{"measure", "value", "interval", "queries"}};
  if (grouping_) rows[0].push_back(grouping_->field());
  const auto add = [&](std::size_t column, std::string value, std::string interval,
                       std::string queries, std::string group) {
    rows.push_back({evaluation_.columns[column].name, std::move(value), std::move(interval),
                    std::move(queries)});
    if (grouping_) rows.back().push_back(std::move(group));
  };
  if (run_.flags.on("per-query"))
    for (std::size_t q = 0; q < evaluation_.queries.size(); ++q)
      for (std::size_t c = 0; c < evaluation_.columns.size(); ++c)
        if (is_number(evaluation_.columns[c]))
          add(c, number(c, evaluation_.at(q, c)), "", std::string(evaluation_.queries[q]), "");
  for (const Line& line : lines())
    add(line.column, number(line.column, line.value),
        line.has_interval ? cat("[", number(line.column, line.interval.low), ", ",
                                number(line.column, line.interval.high), "]")
                          : "",
        cat(line.queries), line.group);
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      const std::string padding(widths[i] - rows[r][i].size(), ' ');
      const bool is_last = i + 1 == rows[r].size();
      if (markdown)
        append(out, "| ", rows[r][i], padding, is_last ? " |" : " ");
      else
        append(out, rows[r][i], is_last ? "" : padding + "  ");
    }
    out += '\n';
    if (markdown && r == 0) {
      for (const std::size_t width : widths) append(out, "|", std::string(width + 2, '-'));
      out += "|\n";
    }
  }
  append(out, "\n", account_text(evaluation_, options_), ".\n");
  return run_.out.write(run_.out.is_terminal() ? harmless_text(out) : out);
}

}  // namespace ragline
