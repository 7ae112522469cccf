#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/storage.h"
#include "corpus/source.h"
#include "index/manifest.h"
#include "index/snapshot.h"

// The one writer of an index. Everything it does becomes visible at commit(), at once; before that,
// a crash or a destructor leaves the old index as it was, and the next writer removes what lies
// about. After an error of commit() the writer returns that error for ever; open another one.
namespace ragline {

struct WriterOptions {
  std::uint64_t memory = 512ull << 20;  // all threads together
  int threads = 2;
  int wait_ms = 0;     // for another writer to finish
  bool create = true;  // make the index when there is none
  DocumentEmbedder* embedder = nullptr;  // gives added documents their vectors; outlives the writer
};

struct CommitReport {
  std::uint64_t added = 0, replaced = 0, deleted = 0;  // documents; each counts once
  std::uint32_t segments = 0;
  bool changed = false;
};

class IndexWriter {
 public:
  // Takes the lock, reads the manifest (or starts one), removes leftovers of writers that died.
  // kUsage when the folder holds other things than an index; kLocked says who writes; kVersion when
  // the index was built by another analyzer.
  static Result<std::unique_ptr<IndexWriter>> open(std::shared_ptr<Storage> storage,
                                                   const WriterOptions& options);
  ~IndexWriter();

  // Settings of the index: roots, chunking, governance. Changes take effect at commit; the list of
  // segments is not looked at. Set `language` before the first add().
  Manifest& manifest();
  // What was last committed: when the writer opened, or by it.
  std::shared_ptr<const Snapshot> before() const;

  // Adds a document; one with the same id and version is replaced, other versions stay. Blocks
  // while the queue is full. Called from one thread; analysis and segment building run on the
  // writer's own.
  Status add(ChunkedDocument&& document);
  // Runs `work` on one of the writer's threads; what it hands to its sink is added there. For
  // parsing files in parallel.
  using Work = std::function<Status(const DocumentSink& sink)>;
  Status submit(Work work);
  // Waits until everything added so far is in a segment or a builder; the first error of any
  // thread.
  Status drain();
  // Every version of the document, or only one. Returns how many committed documents are newly
  // marked; those that this session added before this call go too, those added after it stay.
  Result<std::uint64_t> remove(std::string_view document_id);
  Result<std::uint64_t> remove(std::string_view document_id, std::string_view version);

  // Publishes: flushes builders, merges small segments within a bound, writes deletes, versions and
  // the manifest.
  Result<CommitReport> commit();
  // Merges all segments into one and drops deleted documents, at the next commit.
  void merge_all();

 private:
  IndexWriter();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ragline
