#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/flags.h"
#include "core/result.h"

// --trace FILE: one `trace` record per step and one for the whole run, appended to FILE.
//
//   {"type":"trace","trace_id":"4bf92f...","step":1,"tool":"rag-search",
//    "arguments":{"index":"docs.idx","top":"5"},"route":"bm25","hits":5,"elapsed_ms":4.2}
//
// Steps are numbered from 1 (a query, a build phase); the run itself is step 0 and is written last,
// with the exit status. The file is opened for appending with mode 600 and each record is one
// write, so several processes share a file. Flags and positionals marked `content` and the step's
// `query` are left out unless --trace-content is on. trace_id is the 32 hex digits of TRACEPARENT
// (W3C Trace Context) when that is well-formed, else random. One thread. Without --trace every call
// does nothing.
namespace ragline {

struct TraceStep {
  std::string query;                 // content
  std::string index, index_version;  // directory and manifest number, where there are such
  std::string route;                 // "bm25", "hybrid", "scan"
  std::optional<std::uint64_t> bytes_scanned, files, hits, tokens;
  std::optional<double> cost;                                 // in the endpoint's currency
  std::string error;                                          // error_kind_name of what failed
  std::vector<std::pair<std::string, std::uint64_t>> counts;  // more plain members
  std::optional<double> elapsed_ms;  // unset: since the step before, or the start
};

class Trace {
 public:
  // Opens the file that --trace (or RAGLINE_TRACE) names, if any. kIo when that fails.
  static Result<Trace> open(const ToolSpec& spec, const Flags& flags,
                            GetVariable variable = system_variable);
  Trace(Trace&& other) noexcept;
  Trace& operator=(Trace&&) = delete;
  ~Trace();

  bool is_on() const { return descriptor_ >= 0; }
  const std::string& id() const { return id_; }
  // Appends a step. kIo when the write fails.
  Status step(const TraceStep& step);
  // Appends the record of the run.
  Status finish(const TraceStep& run, int exit_status);

 private:
  Trace() = default;
  Status write(std::uint64_t number, const TraceStep& step, const int* exit_status);

  int descriptor_ = -1;
  bool content_ = false;
  std::string path_, id_, tool_, arguments_;
  std::uint64_t steps_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_ = start_;
};

// The trace id in a TRACEPARENT value, "00-<32 hex>-<16 hex>-<2 hex>"; "" for anything else.
std::string trace_id_of(std::string_view traceparent);

}  // namespace ragline
