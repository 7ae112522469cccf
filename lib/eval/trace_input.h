#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "eval/bad_rows.h"
#include "eval/evidence_span.h"
#include "eval/input.h"

// Runs of tools and agents, call by call.
//
// Read from `trace` records (DESIGN.md, section 2) and from OpenTelemetry spans of the GenAI
// conventions, one JSON object a line, whose attributes are a list of {key, value} or an object.
// Besides the members of trace records these are understood, where they stand:
//   query_id       the case; without it the trace id is taken for it
//   round          number of the agent's turn
//   kind           tool, scan, read, model; else told from the tool's name
//   retry          true for a call that repeats a failed one
//   input_tokens, output_tokens, reasoning_tokens
//   evidence       what the call showed: evidence ids, or objects with path and lines; these may
//                  hold indexed_at and modified_at (RFC 3339)
namespace ragline {

enum class CallKind { kTool, kScan, kRead, kModel };
const char* call_kind_name(CallKind kind);

struct SeenEvidence {
  EvidenceSpan span;
  // Seconds by which the index was behind the document when the call showed it; 0 when it was not.
  std::optional<double> lag_s;
};

struct Call {
  std::string tool, arguments;  // the JSON of the arguments
  CallKind kind = CallKind::kTool;
  bool retry = false;
  std::string error;
  std::optional<std::uint64_t> round, hits;
  std::uint64_t bytes_scanned = 0, files = 0, tokens = 0, reasoning_tokens = 0;
  double elapsed_ms = 0, cost = 0;
  std::vector<SeenEvidence> evidence;
};

struct Trajectory {
  std::string trace_id, query_id;
  std::vector<Call> calls;  // in the order of the file; of spans, by their start
};

// The calls by trace. Of our own tools' records the one of the whole run (step 0) is the call, and
// its steps, which it sums up, only add their evidence; a trace without such records is taken step
// by step.
// Errors: those of InputText::open; kData "file:line: what: remedy"; kData when there is no call.
Result<std::vector<Trajectory>> read_traces(const std::string& path, BadRows* bad = nullptr);
Result<std::vector<Trajectory>> parse_traces(const InputText& text, BadRows* bad = nullptr);

}  // namespace ragline
