// The rows that rag-eval reads besides rankings: any bytes give rows, or an error that names the
// place.
#include "eval/answer_input.h"
#include "eval/evidence_input.h"
#include "eval/failures.h"
#include "eval/grouping.h"
#include "eval/judged.h"
#include "eval/report_data.h"
#include "eval/trajectory.h"
#include "fuzz.h"

using ragline::fuzz::require;

namespace {

template <class T>
bool good(const ragline::Result<T>& result) {
  if (!result) require(result.error().message.starts_with("x:"));
  return result.has_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ragline::InputText text("x", std::string(ragline::fuzz::text(data, size)));
  const auto cases = ragline::parse_cases(text);
  if (good(cases))
    for (const ragline::AnswerCase& one : *cases) {
      (void)ragline::gold_evidence_of(one.row);
      (void)ragline::trajectory_case(one.row);
      (void)ragline::row_values(one.row, "a.b");
    }
  (void)good(ragline::parse_answers(text));
  (void)good(ragline::parse_contexts(text));
  (void)good(ragline::parse_judged(text));
  (void)good(ragline::parse_drop_reasons(text));
  const auto traces = ragline::parse_traces(text);
  if (good(traces))
    for (const ragline::Trajectory& trajectory : *traces)
      require(!ragline::score_trajectory(trajectory, nullptr).scores.empty());
  // Skipping leaves an error for a file without a sound row only.
  ragline::BadRows bad(true);
  const auto kept = ragline::parse_cases(text, &bad);
  require(kept.has_value() || bad.stopped_by().has_value());
  ragline::ReportData report;
  (void)good(report.add(text, "x"));
  return 0;
}
