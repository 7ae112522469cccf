#include "rag-eval/report_page.h"

#include <algorithm>
#include <functional>
#include <set>

#include "core/text.h"
#include "eval/chart.h"
#include "rag-eval/table.h"
#include "rag-eval/trec.h"
#include "record/writer.h"

namespace ragline {

namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --paper: #fff; --ink: #1d2129; --dim: #69707d; --rule: #d9dce2; --c0: #3266ad; --c1: #c4572e;
  --c2: #3c8d5a; --c3: #8a5bb0; --c4: #b08a1e; --c5: #2f8f9d; --c6: #a8446f; --c7: #6b6f76; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181d; --ink: #e4e6ea; --dim: #9aa1ad; --rule: #343841; --c0: #7aa8ea;
  --c1: #ee9068; --c2: #74c794; --c3: #bd97de; --c4: #dcb854; --c5: #6cc4d1; --c6: #dd86ab; --c7: #a3a8b1; } }
@media print { :root { --paper: #fff; --ink: #000; --dim: #444; --rule: #bbb; } section { break-inside: avoid; } }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; border-bottom: 1px solid var(--rule); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; } .wide { overflow-x: auto; }
th, td { padding: .2rem .7rem .2rem 0; text-align: right; border-bottom: 1px solid var(--rule); white-space: nowrap; }
th:first-child, td:first-child, th.text, td.text { text-align: left; } th { color: var(--dim); font-weight: 600; } .dim { color: var(--dim); }
svg { width: 100%; height: auto; color: var(--ink); } svg text { fill: currentColor; font: 11px system-ui, sans-serif; }
svg .heading { font-weight: 600; font-size: 13px; } svg .grid { stroke: var(--rule); } svg .whisker { stroke: currentColor; }
svg .line { fill: none; stroke-width: 2; }
)";

// A table whose first `text` columns are words.
struct Grid {
  std::string heading, remark;
  std::size_t text = 1;
  std::vector<std::vector<std::string>> rows;  // the first is the header
};

std::string interval_of(const ReportValue& value) {
  return value.interval ? interval_text(value.interval->low, value.interval->high, 4) : "";
}

Grid means_grid(const ReportData& data) {
  Grid out{"Means", "Mean over queries with its bootstrap interval.", 1, {{"measure"}}};
  for (const ReportRun& run : data.runs)
    if (!run.means.empty())
      for (const char* suffix : {"", " interval"}) out.rows[0].push_back(run.name + suffix);
  for (const std::string& measure : measures_of(data)) {
    std::vector<std::string> row = {measure};
    for (const ReportRun& run : data.runs) {
      if (run.means.empty()) continue;
      const auto found = run.means.find(measure);
      row.push_back(found == run.means.end() ? "" : fixed_text(found->second.value, 4));
      row.push_back(found == run.means.end() ? "" : interval_of(found->second));
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

Grid comparisons_grid(const ReportData& data) {
  Grid out{"Comparisons",
           "Mean difference of a and b, query by query.",
           4,
           {{"measure", "group", "a", "b", "a - b", "interval", "test", "p", "adjusted", "wins",
             "ties", "losses"}}};
  for (const ReportComparison& one : data.comparisons)
    out.rows.push_back({one.measure, one.group, one.run_a, one.run_b, fixed_text(one.difference, 4),
                        one.interval ? interval_text(one.interval->low, one.interval->high, 4) : "",
                        one.test, p_text(one.p), one.adjusted ? p_text(*one.adjusted) : "",
                        cat(one.wins), cat(one.ties), cat(one.losses)});
  return out;
}

Grid groups_grid(const ReportData& data) {
  Grid out{
      cat("By ", data.by), "", 3, {{"measure", data.by, "run", "value", "interval", "queries"}}};
  for (const ReportRun& run : data.runs)
    for (const auto& [measure, groups] : run.groups)
      for (const auto& [group, value] : groups)
        out.rows.push_back({measure, group.empty() ? "(none)" : group, run.name,
                            fixed_text(value.value, 4), interval_of(value), cat(value.queries)});
  return out;
}

Grid quantiles_grid(const ReportData& data) {
  Grid out{"Time and cost", "Per query.", 2, {{"amount", "run", "P50", "P95", "P99"}}};
  for (const ReportRun& run : data.runs)
    for (const auto& [measure, value] : run.quantiles)
      out.rows.push_back({measure, run.name, fixed_text(value.p50, 2), fixed_text(value.p95, 2),
                          fixed_text(value.p99, 2)});
  return out;
}

Grid failures_grid(const ReportData& data) {
  Grid out{
      "Failures", "The stage that lost the evidence.", 2, {{"stage", "run", "queries", "such as"}}};
  for (const ReportRun& run : data.runs)
    for (const auto& [failure, queries] : run.failures) {
      std::string examples;
      const auto found = run.examples.find(failure);
      if (found != run.examples.end())
        for (const std::string& id : found->second)
          append(examples, examples.empty() ? "" : ", ", id);
      out.rows.push_back({failure, run.name, cat(queries), examples});
    }
  return out;
}

std::vector<Grid> grids_of(const ReportData& data) {
  std::vector<Grid> out;
  for (const auto make :
       {means_grid, comparisons_grid, groups_grid, quantiles_grid, failures_grid}) {
    Grid grid = make(data);
    if (grid.rows.size() > 1) out.push_back(std::move(grid));
  }
  return out;
}

std::string html_table(const Grid& grid) {
  std::string out = "<div class=\"wide\"><table>\n";
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    out += "<tr>";
    const std::string_view tag = r ? "td" : "th";
    for (std::size_t c = 0; c < grid.rows[r].size(); ++c)
      append(out, '<', tag, c < grid.text ? " class=\"text\"" : "", '>',
             escape_html(grid.rows[r][c]), "</", tag, '>');
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

std::vector<std::string> run_names(const ReportData& data) {
  std::vector<std::string> out;
  for (const ReportRun& run : data.runs) out.push_back(run.name);
  return out;
}

// Bars of each measure by group, one a run.
std::string group_charts(const ReportData& data) {
  std::set<std::string> measures;
  for (const ReportRun& run : data.runs)
    for (const auto& [measure, groups] : run.groups) measures.insert(measure);
  std::string out;
  for (const std::string& measure : measures) {
    std::map<std::string, BarGroup> bars;
    std::vector<std::string> series;
    for (const ReportRun& run : data.runs) {
      const auto found = run.groups.find(measure);
      if (found == run.groups.end()) continue;
      series.push_back(run.name);
      for (const auto& [group, value] : found->second) {
        BarGroup& bar = bars[group];
        bar.label = group.empty() ? "(none)" : group;
        bar.bars.push_back({cat(run.name, ", ", bar.label), value.value, value.interval});
      }
    }
    std::vector<BarGroup> groups;
    for (auto& [name, bar] : bars) groups.push_back(std::move(bar));
    out += bar_chart(cat(measure, " by ", data.by), series, groups);
  }
  return out;
}

// A chart for each measure that has several cut-offs.
std::string curve_charts(const ReportData& data) {
  std::map<std::string, std::vector<Curve>> charts;
  for (const ReportRun& run : data.runs) {
    std::map<std::string, std::map<double, double>> by_measure;
    for (const auto& [measure, value] : run.means)
      if (const auto cutoff = cutoff_of(measure))
        by_measure[cutoff->first][cutoff->second] = value.value;
    for (const auto& [measure, points] : by_measure)
      if (points.size() > 1) charts[measure].push_back({run.name, {points.begin(), points.end()}});
  }
  std::string out;
  for (const auto& [measure, curves] : charts)
    out += curve_chart(cat(measure, " at k"), "k", curves);
  return out;
}

// Differences per query of the first run and each other, of every measure that both have.
std::string difference_charts(const ReportData& data) {
  std::string out;
  for (std::size_t i = 1; i < data.runs.size(); ++i)
    for (const auto& [measure, first] : data.runs[0].queries) {
      const auto other = data.runs[i].queries.find(measure);
      if (other == data.runs[i].queries.end()) continue;
      std::vector<Mark> marks;
      for (const auto& [query, value] : other->second)
        if (const auto before = first.find(query); before != first.end())
          marks.push_back({query, value - before->second, std::nullopt});
      if (!marks.empty())
        out += difference_chart(
            cat(measure, ": ", data.runs[i].name, " - ", data.runs[0].name, ", by query"),
            std::move(marks));
    }
  return out;
}

// The first measure of quality against time and against cost.
std::string scatter_charts(const ReportData& data) {
  const auto quality = [&](const ReportRun& run) -> const std::string* {
    for (const std::string& measure : run.measures)
      if (!run.quantiles.contains(measure) && measure != "calls" && measure != "rounds")
        return &measure;
    return nullptr;
  };
  std::string out;
  for (const auto& [amount, label] : {std::pair("elapsed_ms", "P95 of the time per query, ms"),
                                      std::pair("cost", "P95 of the cost per query")}) {
    std::vector<Point> points;
    std::string name;
    for (const ReportRun& run : data.runs) {
      const std::string* measure = name.empty() ? quality(run) : &name;
      const auto quantiles = run.quantiles.find(amount);
      if (!measure || quantiles == run.quantiles.end()) continue;
      const auto mean = run.means.find(*measure);
      if (mean == run.means.end()) continue;
      name = *measure;
      points.push_back({run.name, quantiles->second.p95, mean->second.value});
    }
    if (!points.empty()) out += scatter_chart(cat(name, " against ", amount), label, name, points);
  }
  return out;
}

std::string failure_chart(const ReportData& data) {
  std::set<std::string> kinds;
  for (const ReportRun& run : data.runs)
    for (const auto& [failure, queries] : run.failures) kinds.insert(failure);
  if (kinds.empty()) return "";
  std::vector<BarGroup> groups;
  std::vector<std::string> series;
  for (const ReportRun& run : data.runs)
    if (!run.failures.empty()) series.push_back(run.name);
  for (const std::string& kind : kinds) {
    BarGroup& group = groups.emplace_back();
    group.label = kind;
    for (const ReportRun& run : data.runs) {
      if (run.failures.empty()) continue;
      const auto found = run.failures.find(kind);
      group.bars.push_back({cat(run.name, ", ", kind),
                            found == run.failures.end() ? 0 : static_cast<double>(found->second),
                            std::nullopt});
    }
  }
  return bar_chart("Queries by the stage that lost the evidence", series, groups);
}

}  // namespace

std::string html_report(const ReportData& data, const std::string& title) {
  std::string out =
      cat("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          escape_html(title), "</title>\n<style>", kStyle);
  for (int i = 0; i < 8; ++i)
    append(out, "svg .s", i, " { fill: var(--c", i, "); } svg .line.s", i,
           " { fill: none; stroke: var(--c", i, "); }\n");
  append(out, "</style>\n</head>\n<body>\n<h1>", escape_html(title), "</h1>\n");
  std::string names;
  for (const std::string& name : run_names(data)) append(names, names.empty() ? "" : ", ", name);
  append(out, "<p class=\"dim\">", data.runs.size(),
         data.runs.size() == 1 ? " run: " : " runs: ", escape_html(names), "</p>\n");
  for (const Grid& grid : grids_of(data)) {
    append(out, "<section>\n<h2>", escape_html(grid.heading), "</h2>\n");
    if (!grid.remark.empty()) append(out, "<p class=\"dim\">", escape_html(grid.remark), "</p>\n");
    append(out, html_table(grid), "</section>\n");
  }
  for (const auto chart :
       {curve_charts, group_charts, difference_charts, scatter_charts, failure_chart})
    if (const std::string svg = chart(data); !svg.empty())
      append(out, "<section>\n", svg, "</section>\n");
  return out + "</body>\n</html>\n";
}

std::string markdown_report(const ReportData& data, const std::string& title) {
  std::string out = cat("# ", title, "\n");
  for (const Grid& grid : grids_of(data)) {
    append(out, "\n## ", grid.heading, "\n\n");
    if (!grid.remark.empty()) append(out, grid.remark, "\n\n");
    TextTable table(grid.rows[0], grid.text);
    for (std::size_t row = 1; row < grid.rows.size(); ++row) table.add(grid.rows[row]);
    out += table.markdown();
  }
  return out;
}

namespace {

std::string value_json(const ReportValue& value) {
  std::string out;
  JsonObject object(out);
  object.add("value", value.value).add("queries", value.queries);
  if (value.interval) object.add("low", value.interval->low).add("high", value.interval->high);
  object.close();
  return out;
}

// An object of what `write` makes of each entry.
template <class Map, class Write>
std::string object_json(const Map& map, Write write) {
  std::string out;
  JsonObject object(out);
  for (const auto& [key, value] : map) object.raw(key, write(value));
  object.close();
  return out;
}

std::string run_json(const ReportRun& run) {
  std::string out;
  JsonObject object(out);
  object.add("run", run.name).raw("means", object_json(run.means, value_json));
  object.raw("groups", object_json(run.groups, [](const auto& groups) {
               return object_json(groups, value_json);
             }));
  object.raw("quantiles", object_json(run.quantiles, [](const ReportQuantiles& q) {
               std::string one;
               JsonObject(one).add("p50", q.p50).add("p95", q.p95).add("p99", q.p99).close();
               return one;
             }));
  object
      .raw("failures",
           object_json(run.failures, [](std::uint64_t queries) { return cat(queries); }))
      .close();
  return out;
}

std::string comparison_json(const ReportComparison& one) {
  std::string out;
  JsonObject object(out);
  object.add("measure", one.measure)
      .add("group", one.group)
      .add("run_a", one.run_a)
      .add("run_b", one.run_b);
  object.add("difference", one.difference).add("test", one.test).add("p", one.p);
  if (one.adjusted) object.add("p_adjusted", *one.adjusted);
  if (one.interval) object.add("low", one.interval->low).add("high", one.interval->high);
  object.add("wins", one.wins).add("ties", one.ties).add("losses", one.losses).close();
  return out;
}

template <class Items, class Write>
std::string list_json(const Items& items, Write write) {
  std::string out = "[";
  for (const auto& item : items) append(out, out.size() > 1 ? "," : "", write(item));
  return out + "]";
}

}  // namespace

std::string json_report(const ReportData& data) {
  std::string out;
  JsonObject(out)
      .raw("runs", list_json(data.runs, run_json))
      .raw("comparisons", list_json(data.comparisons, comparison_json))
      .close();
  return out + "\n";
}

}  // namespace ragline
