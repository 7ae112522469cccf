#include "rag-eval/scores.h"

#include <algorithm>
#include <map>
#include <set>

#include "cli/shared_flags.h"
#include "cli/terminal.h"
#include "core/text.h"
#include "eval/bootstrap.h"
#include "rag-eval/table.h"
#include "rag-eval/trec.h"
#include "record/writer.h"

namespace ragline {

namespace {

struct MeanLine {
  std::string_view measure;
  std::string group;
  bool of_group = false;
  std::size_t cases = 0;
  BootstrapMean mean;
};

class Means {
 public:
  Means(const Flags& flags, const std::vector<AnswerMeasure>& measures,
        const std::vector<CaseScores>& cases)
      : measures_(measures), cases_(cases) {
    options_ = {static_cast<std::uint32_t>(flags.integer("samples")), flags.number("confidence"),
                static_cast<std::uint64_t>(flags.integer("seed"))};
  }

  std::vector<MeanLine> lines(bool by_group) const {
    std::vector<MeanLine> out;
    add(out, nullptr);
    std::set<std::string> groups;
    for (const CaseScores& scored : cases_) {
      groups.insert(scored.groups.begin(), scored.groups.end());
      if (scored.groups.empty()) groups.insert("");
    }
    if (by_group)
      for (const std::string& group : groups) add(out, &group);
    return out;
  }
  double confidence() const { return options_.confidence; }
  bool has_intervals() const { return options_.samples > 0; }

 private:
  static bool is_in(const CaseScores& scored, const std::string& group) {
    return scored.groups.empty() ? group.empty()
                                 : std::ranges::find(scored.groups, group) != scored.groups.end();
  }

  void add(std::vector<MeanLine>& out, const std::string* group) const {
    std::map<std::string_view, std::vector<double>> values;
    for (const CaseScores& scored : cases_)
      if (!group || is_in(scored, *group))
        for (const AnswerScore& score : scored.scores) values[score.measure].push_back(score.value);
    for (const AnswerMeasure& measure : measures_) {
      const auto found = values.find(measure.name);
      if (found == values.end()) continue;
      out.push_back({measure.name, group ? *group : "", group != nullptr, found->second.size(),
                     bootstrap_mean(found->second, options_)});
    }
  }

  const std::vector<AnswerMeasure>& measures_;
  const std::vector<CaseScores>& cases_;
  BootstrapOptions options_;
};

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) append(out, out.empty() ? "" : ", ", name);
  return out;
}

Status write_records(ToolRun& run, const std::vector<CaseScores>& cases, const Means& means) {
  std::string out;
  if (run.flags.on("per-query"))
    for (const CaseScores& scored : cases) {
      JsonObject record(out);
      record.add("type", "score").add("query_id", scored.query_id);
      if (run.flags.has("by"))
        record.add("by", run.flags.text("by")).add("group", joined(scored.groups));
      std::string values;
      JsonObject object(values);
      for (const AnswerScore& score : scored.scores) object.add(score.measure, score.value);
      object.close();
      record.raw("scores", values).members(scored.members).close();
      out += '\n';
    }
  for (const MeanLine& line : means.lines(run.flags.has("by"))) {
    JsonObject record(out);
    record.add("type", "measure").add("measure", line.measure);
    if (line.of_group) record.add("by", run.flags.text("by")).add("group", line.group);
    record.add("value", line.mean.mean).add("queries", std::uint64_t{line.cases});
    if (means.has_intervals())
      record.add("low", line.mean.bca.low)
          .add("high", line.mean.bca.high)
          .add("confidence", means.confidence())
          .add("standard_error", line.mean.standard_error);
    record.close();
    out += '\n';
  }
  return run.out.write(out);
}

Status write_tables(ToolRun& run, const std::vector<CaseScores>& cases, const Means& means) {
  std::string out;
  if (run.flags.on("per-query")) {
    TextTable table({"query", "measure", "value"}, 2);
    for (const CaseScores& scored : cases)
      for (const AnswerScore& score : scored.scores)
        table.add({scored.query_id, std::string(score.measure), fixed_text(score.value, 4)});
    append(out, table.render(run.format()), '\n');
  }
  const bool by_group = run.flags.has("by");
  std::vector<std::string> header = {"measure"};
  if (by_group) header.push_back(run.flags.text("by"));
  for (const char* name : {"value", "interval", "cases"}) header.emplace_back(name);
  TextTable table(header, by_group ? 2 : 1);
  for (const MeanLine& line : means.lines(by_group)) {
    std::vector<std::string> row = {std::string(line.measure)};
    if (by_group)
      row.push_back(!line.of_group ? "all" : line.group.empty() ? "(none)" : line.group);
    row.push_back(fixed_text(line.mean.mean, 4));
    row.push_back(means.has_intervals() ? interval_text(line.mean.bca.low, line.mean.bca.high, 4)
                                        : "-");
    row.push_back(cat(line.cases));
    table.add(std::move(row));
  }
  out += table.render(run.format());
  return write_out(run, out);
}

}  // namespace

Result<CaseGroups> CaseGroups::open(const Flags& flags, bool has_rows, BadRows& bad) {
  CaseGroups out;
  if (!flags.has("by")) return out;
  out.field_ = flags.text("by");
  if (flags.has("queries")) {
    RAGLINE_TRY(out.of_queries_, Grouping::read(flags.text("queries"), out.field_, &bad));
  } else if (!has_rows) {
    return fail(ErrorKind::kUsage,
                "--by needs the fields of the cases: give their file with --gold, or --queries");
  }
  return out;
}

std::vector<std::string> CaseGroups::of(const std::string& query_id, std::string_view row) const {
  if (field_.empty()) return {};
  return of_queries_ ? of_queries_->values_of(query_id) : row_values(row, field_);
}

Flag samples_flag(std::string category) {
  return {.name = "samples",
          .type = FlagType::kInteger,
          .value = "N",
          .least = 0,
          .most = 1000000,
          .fallback = "10000",
          .category = std::move(category),
          .help = "bootstrap samples for the interval; 0 is none"};
}

Flag confidence_flag(std::string category) {
  return {.name = "confidence",
          .type = FlagType::kNumber,
          .value = "P",
          .least = 0.5,
          .most = 0.9999,
          .fallback = "0.95",
          .category = std::move(category),
          .help = "confidence of the interval"};
}

std::vector<Flag> score_flags() {
  Flag quiet = quiet_flag();
  quiet.letter = 0;  // -q is --per-query, as in trec_eval
  Flag format = format_flag();
  format.choices = {"text", "jsonl", "tsv", "markdown"};
  Flag queries = queries_flag();
  queries.help = "file with the fields of the queries, for --by";
  return {{.name = "by",
           .type = FlagType::kText,
           .value = "FIELD",
           .category = "Output",
           .help = "means by the values of a field of the cases",
           .details = "A member of the rows of `--queries`, else of the cases themselves; `a.b` "
                      "reaches into objects, and a list puts its case into several groups."},
          std::move(queries),
          skip_bad_flag(),
          {.name = "per-query",
           .letter = 'q',
           .category = "Output",
           .help = "the scores of each case as well"},
          samples_flag("Output"),
          confidence_flag("Output"),
          seed_flag(),
          std::move(format),
          std::move(quiet)};
}

std::string measures_text(const std::vector<AnswerMeasure>& measures) {
  std::string out = "Measures:";
  for (const AnswerMeasure& measure : measures)
    append(out, " `", measure.name, "` (", measure.applies, "): ", measure.meaning,
           measure.source.empty() ? "" : cat(" (", measure.source, ")"),
           &measure == &measures.back() ? "." : ";");
  return out;
}

Status write_out(ToolRun& run, const std::string& text) {
  return run.out.write(run.out.is_terminal() && run.format() != "jsonl" ? harmless_text(text)
                                                                        : text);
}

std::string figure_record(std::string_view measure, double value, std::uint64_t queries) {
  std::string out;
  JsonObject record(out);
  record.add("type", "measure")
      .add("measure", measure)
      .add("value", value)
      .add("queries", queries)
      .close();
  return out + "\n";
}

Status write_scores(ToolRun& run, const std::vector<AnswerMeasure>& measures,
                    const std::vector<CaseScores>& cases) {
  if (run.flags.has("by") &&
      std::ranges::all_of(cases, [](const CaseScores& one) { return one.groups.empty(); }))
    return fail(ErrorKind::kUsage, cat("--by ", run.flags.text("by"),
                                       ": no case has this field: name one of its fields"));
  const Means means(run.flags, measures, cases);
  return run.format() == "jsonl" ? write_records(run, cases, means)
                                 : write_tables(run, cases, means);
}

}  // namespace ragline
