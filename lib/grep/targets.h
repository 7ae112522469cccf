#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/result.h"
#include "corpus/walk.h"

// What a search goes over: files in the order of the output, from a walk or from a list.
namespace ragline {

struct Target {
  std::string path;         // shown, and opened
  std::string document_id;
  std::shared_ptr<const OpenDirectory> directory;
  bool is_file = true;
  bool named = false;       // by the caller, not found by the walk
  bool standard_input = false;
  SkipReason reason{};      // of what is no file
  std::string detail;
};

// A stream of targets; one thread at a time.
class TargetStream {
 public:
  virtual ~TargetStream() = default;
  virtual bool next(Target& target) = 0;
};

// Files and directories: a walk. Standard input ("-") comes first.
Result<std::unique_ptr<TargetStream>> walk_targets(const std::vector<std::string>& paths, const WalkOptions& options);
// Files as listed, in that order, the second and later of the same path left out. A directory among them is skipped as special, a
// path that does not exist or lies outside the root is found out when it is opened.
std::unique_ptr<TargetStream> list_targets(std::vector<std::string> paths, std::string base);

// A run of targets, the unit of work of a thread. Small enough that threads end together, large enough to be worth a lock.
struct TargetBatch {
  std::uint64_t sequence = 0;
  std::vector<Target> targets;
};

// Hands out batches in order to any number of threads. The stream is advanced by whoever needs it: a thread that finds few batches
// ready makes more while the others search, so walking and searching overlap without a thread for it.
class TargetQueue {
 public:
  // `skip_to`: targets before this path are left out (a cursor's); "" for none.
  TargetQueue(std::unique_ptr<TargetStream> stream, std::string skip_to);
  // False at the end, and after stop_if(true).
  bool next(TargetBatch& batch);
  // When `stop` is true, no more batches are handed out.
  void stop_if(bool stop);
  // Whether the cursor's path came along.
  bool found_start() const { return skip_to_.empty(); }

 private:
  bool fill(std::vector<Target>& targets);

  std::unique_ptr<TargetStream> stream_;  // of the thread that is walking
  std::string skip_to_;
  std::mutex lock_;
  std::condition_variable change_;
  std::deque<TargetBatch> ready_;
  std::uint64_t sequence_ = 0;
  bool walking_ = false, ended_ = false, stopped_ = false;
};

}  // namespace ragline
