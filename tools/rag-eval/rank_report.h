#pragma once
#include <string>
#include <vector>

#include "cli/tool.h"
#include "eval/bootstrap.h"
#include "eval/evaluate.h"
#include "eval/grouping.h"

namespace ragline {

// What became of the queries, in a sentence or two: how many are in both files, what the others
// did, and how many ties there were.
std::string account_text(const Evaluation& evaluation, const EvaluationOptions& options);

// Writes an evaluation in the format that the run asks for.
class RankReport {
 public:
  RankReport(ToolRun& run, const Evaluation& evaluation, const EvaluationOptions& options,
             const BadRows& bad, const Grouping* grouping = nullptr);
  Status write();

 private:
  // A mean over all queries, or over those of a group.
  struct Line {
    std::size_t column = 0;
    std::string group{};
    std::size_t queries = 0;
    double value = 0;
    bool has_interval = false;
    Interval interval{};
    double standard_error = 0;
  };
  std::vector<Line> lines() const;
  Line mean_line(std::size_t column, std::string group, const std::vector<double>& values) const;

  Status write_records();
  Status write_json();
  Status write_table(bool markdown);
  Status write_tsv();
  std::string record(const Line& line) const;
  std::string query_record(std::size_t query, std::size_t column) const;
  std::string closing_record() const;
  std::string number(std::size_t column, double value) const;

  ToolRun& run_;
  const Evaluation& evaluation_;
  const EvaluationOptions& options_;
  const BadRows& bad_;
  const Grouping* grouping_;
  int digits_;
};

}  // namespace ragline
