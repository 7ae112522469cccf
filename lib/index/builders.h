#pragma once
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/queue.h"
#include "core/result.h"
#include "core/storage.h"
#include "corpus/source.h"
#include "index/segment.h"

// The threads of a writer: each takes batches of documents from one queue into a segment of its
// own, and writes that out when its share of the memory is used up.
namespace ragline {

// A segment that is written but not published.
struct BuiltSegment {
  SegmentEntry entry;
  // When its documents were handed in, for deciding which of two equal ones is the later: from
  // document `first` on, the sequence number. Ascending in both within a task; tasks may be out of
  // turn.
  struct Run {
    std::uint32_t first;
    std::uint64_t sequence;
  };
  std::vector<Run> runs;
};

struct BuildersOptions {
  int threads = 2;
  std::uint64_t memory = 512ull << 20;        // all threads together
  std::string language;                       // of documents that state none; empty: detected
  std::function<std::string()> next_segment;  // a new name; called from any thread
  DocumentEmbedder* embedder = nullptr;       // null: documents keep the vectors that they come with
};

// Once one thread has failed (or the process was interrupted), the rest of the work is dropped and
// every call returns that first error.
//   Threads  push, submit, drain and finish from one thread
class Builders {
 public:
  Builders(Storage& storage, BuildersOptions options);
  // Waits for the threads, drops what is not written.
  ~Builders();
  Builders(const Builders&) = delete;
  Builders& operator=(const Builders&) = delete;

  using Work = std::function<Status(const DocumentSink& sink)>;
  // Documents of one task go to one thread, in order. Blocks while the queue is full.
  Status push(std::vector<ChunkedDocument>&& documents, std::uint64_t sequence);
  Status submit(Work work, std::uint64_t sequence);
  // Waits until all tasks are done.
  Status drain();
  // Waits, writes out what the threads hold, and ends them. Segments by number; the next push
  // begins anew.
  Result<std::vector<BuiltSegment>> finish();

 private:
  struct Task {
    std::vector<ChunkedDocument> documents;
    Work work;
    std::uint64_t sequence = 0;
  };
  struct Builder {
    SegmentWriter writer;
    std::string name;              // of the segment being built
    std::size_t empty_memory = 0;  // of the writer when that began
    std::vector<BuiltSegment::Run> runs;
    std::vector<BuiltSegment> built;
    std::thread thread;
  };
  Status hand_over(Task&& task);
  void start();
  void stop();
  void run(Builder& builder);
  Status perform(Builder& builder, Task& task);
  Status add(Builder& builder, ChunkedDocument& document, std::uint64_t sequence);
  Status write(Builder& builder);
  Status error();

  Storage& storage_;
  BuildersOptions options_;
  std::vector<std::unique_ptr<Builder>> builders_;
  std::unique_ptr<BoundedQueue<Task>> queue_;  // null while no thread runs
  std::mutex mutex_;
  std::condition_variable done_;
  std::uint64_t open_tasks_ = 0;  // guarded by mutex_, as is error_
  Status error_;
};

}  // namespace ragline
