#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eval/answers.h"
#include "eval/trace_input.h"

// What a run did and what it found: one trajectory against its case.
namespace ragline {

// What a case says about the ways to its answer; read from its row.
struct TrajectoryCase {
  std::vector<EvidenceSpan> gold;
  std::optional<std::uint64_t> required_hops;
  std::vector<EvidenceSpan> root_cause;    // of faults and logs: the place that explains them
  std::vector<std::string> allowed_scope;  // globs of paths; empty: everything
  // budget: {"calls", "bytes_scanned", "files", "tokens", "elapsed_ms", "cost"}
  std::optional<double> most_calls, most_bytes, most_files, most_tokens, most_elapsed_ms, most_cost;
};
// kData with the member and what belongs there.
Result<TrajectoryCase> trajectory_case(std::string_view row);

struct TrajectoryReport {
  std::vector<AnswerScore> scores;        // of trajectory_measures(), those that apply
  std::vector<std::string> out_of_scope;  // documents that the case does not allow
  std::vector<std::string> over_budget;   // names of the limits that were passed
};
// `gold` is nullptr where there is no case.
TrajectoryReport score_trajectory(const Trajectory& trajectory, const TrajectoryCase* gold);

// Counts and amounts too: not all are shares, and for most lower is better.
const std::vector<AnswerMeasure>& trajectory_measures();

// Amounts of which P50, P95 and P99 are asked for as well.
bool is_amount(std::string_view measure);

}  // namespace ragline
