#include "eval/trajectory.h"

#include <algorithm>

#include "catch.h"

using namespace ragline;

namespace {

Trajectory trajectory(std::string text) {
  auto found = parse_traces(InputText("trace", std::move(text)));
  if (!found) FAIL(found.error().message);
  return found->at(0);
}

double value(const TrajectoryReport& report, std::string_view measure) {
  for (const AnswerScore& score : report.scores)
    if (score.measure == measure) return score.value;
  return -9;
}

const char* const kRun =
    R"({"trace_id":"t","tool":"grep","arguments":["a"],"hits":0,"bytes_scanned":50,"elapsed_ms":10,"cost":1,"round":1,"evidence":[{"path":"x.md","lines":[1,5]}]}
{"trace_id":"t","tool":"grep","arguments":["a"],"hits":2,"bytes_scanned":70,"elapsed_ms":20,"cost":1,"round":1,"evidence":[{"path":"a.md","lines":[3,6]}]}
{"trace_id":"t","tool":"chat","kind":"model","tokens":100,"reasoning_tokens":25,"elapsed_ms":300,"cost":8,"round":2}
{"trace_id":"t","tool":"read","arguments":["b"],"hits":1,"elapsed_ms":5,"cost":0.5,"round":2,"evidence":[{"path":"a.md","lines":[5,8],"indexed_at":"2026-01-02","modified_at":"2026-01-01"}]}
{"trace_id":"t","tool":"search","arguments":["c"],"error":"denied","retry":true,"elapsed_ms":7,"cost":0.25,"round":3}
)";

}  // namespace

TEST_CASE("effort, time and cost of a run") {
  const TrajectoryReport report = score_trajectory(trajectory(kRun), nullptr);
  CHECK(value(report, "calls") == 5);
  CHECK(value(report, "rounds") == 3);
  CHECK(value(report, "errors") == 1);
  CHECK(value(report, "repeats") == 1);
  CHECK(value(report, "ineffective") == 0.6);  // nothing found, a repeat, an error
  CHECK(value(report, "bytes_scanned") == 120);
  CHECK(value(report, "elapsed_ms") == 342);
  CHECK(value(report, "elapsed_ms_scanning") == 30);
  CHECK(value(report, "elapsed_ms_reading") == 5);
  CHECK(value(report, "elapsed_ms_model") == 300);
  CHECK(value(report, "elapsed_ms_tools") == 0);
  CHECK(value(report, "elapsed_ms_retries") == 7);
  CHECK(value(report, "cost") == 10.75);
  CHECK(value(report, "cost_model") == 6);
  CHECK(value(report, "cost_reasoning") == 2);
  CHECK(value(report, "cost_retries") == 0.25);
  CHECK(value(report, "evidence_recall") == -9);
  CHECK(value(report, "index_lag_s") == 0);
}

TEST_CASE("the parts of time and cost add up") {
  const TrajectoryReport report = score_trajectory(trajectory(kRun), nullptr);
  for (const std::string whole : {"elapsed_ms", "cost"}) {
    double sum = 0;
    for (const AnswerScore& score : report.scores)
      if (score.measure.starts_with(whole + "_")) sum += score.value;
    CHECK(sum == value(report, whole));
  }
}

TEST_CASE("evidence by piece, by line and by hop") {
  const auto gold = trajectory_case(
      R"({"gold_evidence":[{"path":"a.md","lines":[4,9]},{"path":"b.md","lines":[1,4]}],"required_hops":2,"root_cause":{"path":"a.md","lines":[8,8]}})");
  REQUIRE(gold);
  const TrajectoryReport report = score_trajectory(trajectory(kRun), &*gold);
  CHECK(value(report, "evidence_recall") == 0.5);
  CHECK(value(report, "line_recall") == 0.5);  // lines 4 to 8 of 10
  CHECK(value(report, "hop_coverage") == 0.5);
  CHECK(value(report, "calls_to_evidence") == 2);
  CHECK(value(report, "ms_to_evidence") == 30);
  CHECK(value(report, "root_cause_hit") == 1);
}

TEST_CASE("limits and scopes that were passed") {
  const auto gold = trajectory_case(
      R"({"allowed_scope":["a.md","b/**"],"budget":{"calls":5,"cost":10,"tokens":99}})");
  REQUIRE(gold);
  const TrajectoryReport report = score_trajectory(trajectory(kRun), &*gold);
  CHECK(report.over_budget == std::vector<std::string>{"tokens", "cost"});
  CHECK(report.out_of_scope == std::vector<std::string>{"x.md"});
  CHECK(value(report, "over_budget") == 1);
  CHECK(value(report, "out_of_scope") == 1);
  const auto open = trajectory_case(R"({"budget":{"calls":5}})");
  CHECK(value(score_trajectory(trajectory(kRun), &*open), "over_budget") == 0);
  CHECK(value(score_trajectory(trajectory(kRun), &*open), "out_of_scope") == -9);
}

TEST_CASE("faulty cases are refused") {
  CHECK_FALSE(trajectory_case(R"({"budget":[]})"));
  CHECK_FALSE(trajectory_case(R"({"required_hops":-1})"));
  CHECK_FALSE(trajectory_case(R"({"root_cause":[{}]})"));
  CHECK(trajectory_case("")->gold.empty());
}

TEST_CASE("every trajectory score is in the table") {
  const auto gold = trajectory_case(
      R"({"gold_evidence":[{"path":"a.md","lines":[4,9]}],"budget":{"calls":1},"allowed_scope":"a.md"})");
  for (const AnswerScore& score : score_trajectory(trajectory(kRun), &*gold).scores) {
    INFO(score.measure);
    CHECK(std::ranges::count(trajectory_measures(), score.measure, &AnswerMeasure::name) == 1);
  }
}
