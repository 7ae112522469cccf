#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "grep/engine.h"

namespace ragline {

// What became of one target, or of a part of it: parts of a long output come one by one.

struct FilePart {
  const Target* target = nullptr;
  bool begins = true, ends = true;
  bool searched = false;          // else skipped, or (stopped) not reached
  bool failed = false;            // reading broke off: what was found before holds; `reason` and `detail` say why
  bool stopped = false;           // the time ran out, or the run was told to stop, in it or before it
  SkipReason reason{};
  std::string detail;
  std::uint64_t from = 0;         // offset at which this part's search began
  std::uint64_t reached = 0;      // offset that it has come to
  std::uint64_t lines = 0, spans = 0;
  std::uint64_t long_lines = 0;
  bool capped = false;
  std::size_t bytes_end = 0, marks_end = 0;  // of the page: this part's output ends there
};

// Takes pages in the order of their batches, charges the budgets and writes. Any thread may come; a page whose turn has not come waits
// with its thread only when it is too large to be kept.
class Collector {
 public:
  Collector(const EngineOptions& options, const Write& write, const Write& spill, std::size_t terms);

  // Whether everybody may stop: a budget fired, or writing failed.
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  // Blocks until all batches before `sequence` are finished.
  void await_turn(std::uint64_t sequence);
  // Writes parts of a batch whose turn it is. `last`: the batch is finished with them.
  void take(std::uint64_t sequence, const std::vector<FilePart>& parts, const Page& page, bool last);

  Status status() const { return status_; }
  EngineReport report() &&;

 private:
  void take_part(const FilePart& part, const Page& page, std::size_t bytes_begin, std::size_t marks_begin);
  void skip(const FilePart& part);
  void note_skip(const FilePart& part);
  bool charge_start(const FilePart& part);
  void write_part(const FilePart& part, const Page& page, std::size_t bytes_begin, std::size_t marks_begin);
  void stop(std::string reason, const Target& target, std::uint64_t offset);
  void put(std::string_view bytes, bool within_budget);
  void separate();

  const EngineOptions& options_;
  const Write& write_;
  const Write& spill_;
  std::atomic<bool> stopped_{false};
  std::mutex lock_;
  std::condition_variable turn_;
  std::uint64_t next_ = 0;
  Status status_;
  EngineReport report_;
  std::uint64_t skips_[16] = {};
  std::uint64_t printed_lines_ = 0, printed_bytes_ = 0, printed_tokens_ = 0;
  bool output_closed_ = false;   // an output budget fired, while a spill goes on
  bool file_printed_ = false;    // the file at hand has output
  bool file_matched_ = false;
  std::uint64_t file_bytes_ = 0;
  bool any_printed_ = false;
};

}  // namespace ragline
