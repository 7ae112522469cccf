#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/tool.h"
#include "eval/answers.h"
#include "eval/grouping.h"

// Scores of cases, one after the other and as means with intervals: what the commands that look at
// answers, citations and trajectories share.
namespace ragline {

struct CaseScores {
  std::string query_id;
  std::vector<std::string> groups;  // the values of --by; none: the group "(none)"
  std::vector<AnswerScore> scores;
  std::string members;  // more members of its record: "\"refused\":true"
};

// Where --by finds the groups of a case: in the file of --queries, else in the case's own row.
class CaseGroups {
 public:
  // kUsage where neither is there: no --queries, and `has_rows` is false.
  static Result<CaseGroups> open(const Flags& flags, bool has_rows, BadRows& bad);
  std::vector<std::string> of(const std::string& query_id, std::string_view row) const;

 private:
  std::string field_;
  std::optional<Grouping> of_queries_;
};

// Of every command that gives intervals.
Flag samples_flag(std::string category);
Flag confidence_flag(std::string category);

// --by, --per-query, --samples, --confidence, --seed, --format, --quiet and the like.
std::vector<Flag> score_flags();

// Paragraphs for the manual, one measure after the other.
std::string measures_text(const std::vector<AnswerMeasure>& measures);

// Writes the scores of each case (a `score` record, with --per-query), then the means of each
// measure over the cases that it applies to, in the order of the table, over all and by group. Of
// the text formats a table of means, and before it with --per-query one of cases. kUsage when no
// case has the field of --by.
Status write_scores(ToolRun& run, const std::vector<AnswerMeasure>& measures,
                    const std::vector<CaseScores>& cases);

// One more figure that is no mean of scores: a `measure` record.
std::string figure_record(std::string_view measure, double value, std::uint64_t queries);

// Writes a text in any of the formats; for people it is made harmless to their terminal.
Status write_out(ToolRun& run, const std::string& text);

}  // namespace ragline
