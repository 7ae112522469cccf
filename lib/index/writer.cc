#include "index/writer.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <utility>

#include "analysis/analyzer.h"
#include "core/interrupt.h"
#include "core/process.h"
#include "core/text.h"
#include "index/builders.h"
#include "index/commit.h"
#include "index/leftovers.h"
#include "index/segment_files.h"

namespace ragline {

namespace {

// A batch costs one lock, and holds at most this much.
constexpr std::size_t kBatchDocuments = 256, kBatchBytes = 1 << 20;

std::size_t size_of(const ChunkedDocument& document) {
  std::size_t bytes =
      sizeof document + document.document.text.size() + document.document.metadata.size();
  for (const Chunk& chunk : document.chunks)
    bytes += sizeof chunk + chunk.text.size() + chunk.metadata.size();
  return bytes;
}

Error unlike_index(const Storage& storage, std::string_view name) {
  return {ErrorKind::kUsage,
          cat("'", storage.describe(), "' is no ragline index and not empty (it holds '", name,
              "'): name a new or an empty directory")};
}

}  // namespace

struct IndexWriter::State {
  std::shared_ptr<Storage> storage;
  WriterOptions options;
  std::unique_ptr<StorageLock> lock;
  Manifest manifest;  // of the next commit; its segments are in `old`
  std::shared_ptr<const Snapshot> before;
  bool exists = false;  // before has been committed
  std::vector<LiveSegment> old;
  std::atomic<std::uint64_t> next_number{1};
  std::vector<std::string> begun;  // segments of this session, guarded by mutex
  std::mutex mutex;

  std::vector<ChunkedDocument> batch;
  std::size_t batch_bytes = 0;
  std::uint64_t sequence = 0;  // of the task handed over last
  Removals removals;
  std::uint64_t removed = 0;  // old documents that removals marked
  bool merge_all = false;
  Status error;                   // of a commit: the writer is good for nothing then
  bool may_be_published = false;  // since the manifest was about to be written
  std::unique_ptr<Builders> builders;

  ~State();
  void adopt(std::shared_ptr<const Snapshot> snapshot);
  std::string begin_segment();
  Builders& threads();
  Status push_batch();
  Result<CommitReport> commit();
};

IndexWriter::IndexWriter() : state_(std::make_unique<State>()) {}
IndexWriter::~IndexWriter() = default;

// What this session wrote and did not publish is removed, as far as that goes.
IndexWriter::State::~State() {
  builders.reset();
  if (may_be_published) return;
  for (const std::string& name : begun) (void)storage->remove_folder(name);
}

Result<std::unique_ptr<IndexWriter>> IndexWriter::open(std::shared_ptr<Storage> storage,
                                                       const WriterOptions& options) {
  auto writer = std::unique_ptr<IndexWriter>(new IndexWriter());
  State& state = *writer->state_;
  state.storage = std::move(storage);
  state.options = options;
  if (!state.storage->exists(kManifestFile)) {
    if (!options.create) RAGLINE_CHECK(read_manifest(*state.storage));
    RAGLINE_TRY(const std::vector<std::string> names, state.storage->list(""));
    for (const std::string& name : names)
      if (!is_index_name(name)) return std::unexpected(unlike_index(*state.storage, name));
  }
  RAGLINE_TRY(state.lock, state.storage->lock(kLockFile, process_text(), options.wait_ms));
  // Only now: another writer may have committed while this one waited.
  auto snapshot = open_snapshot(*state.storage);
  if (!snapshot && (snapshot.error().kind != ErrorKind::kNotFound || !options.create))
    return std::unexpected(std::move(snapshot).error());
  state.exists = snapshot.has_value();
  if (!snapshot) {
    auto empty = std::make_shared<Snapshot>();
    empty->where = state.storage->describe();
    snapshot = empty;
  }
  const Manifest& manifest = (*snapshot)->manifest;
  if (!manifest.segments.empty() && manifest.analyzer_version != kAnalyzerVersion)
    return fail(ErrorKind::kVersion, cat("index '", state.storage->describe(),
                                         "' was built by analyzer ", manifest.analyzer_version,
                                         ", this is ", kAnalyzerVersion, ": build the index anew"));
  RAGLINE_CHECK(remove_leftovers(*state.storage, manifest));
  state.adopt(std::move(*snapshot));
  return writer;
}

void IndexWriter::State::adopt(std::shared_ptr<const Snapshot> snapshot) {
  before = std::move(snapshot);
  manifest = before->manifest;
  next_number = std::max(next_number.load(), manifest.next_segment);
  old.clear();
  for (std::size_t i = 0; i < manifest.segments.size(); ++i)
    old.emplace_back(manifest.segments[i], before->segments[i]);
}

Manifest& IndexWriter::manifest() { return state_->manifest; }
std::shared_ptr<const Snapshot> IndexWriter::before() const { return state_->before; }
void IndexWriter::merge_all() { state_->merge_all = true; }

std::string IndexWriter::State::begin_segment() {
  std::string name = segment_name(next_number++);
  std::lock_guard guard(mutex);
  return begun.emplace_back(std::move(name));
}

Builders& IndexWriter::State::threads() {
  if (!builders)
    builders = std::make_unique<Builders>(
        *storage, BuildersOptions{options.threads, options.memory, manifest.language,
                                  [this] { return begin_segment(); }, options.embedder});
  return *builders;
}

Status IndexWriter::State::push_batch() {
  if (batch.empty()) return {};
  batch_bytes = 0;
  return threads().push(std::exchange(batch, {}), ++sequence);
}

Status IndexWriter::add(ChunkedDocument&& document) {
  State& state = *state_;
  RAGLINE_CHECK(state.error);
  state.batch_bytes += size_of(document);
  state.batch.push_back(std::move(document));
  if (state.batch.size() < kBatchDocuments && state.batch_bytes < kBatchBytes) return {};
  return state.push_batch();
}

Status IndexWriter::submit(Work work) {
  State& state = *state_;
  RAGLINE_CHECK(state.error);
  RAGLINE_CHECK(state.push_batch());
  return state.threads().submit(std::move(work), ++state.sequence);
}

Status IndexWriter::drain() {
  State& state = *state_;
  RAGLINE_CHECK(state.error);
  RAGLINE_CHECK(state.push_batch());
  if (state.builders) RAGLINE_CHECK(state.builders->drain());
  if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted: the index is as it was");
  return {};
}

namespace {

Result<std::uint64_t> mark_old(std::vector<LiveSegment>& segments, std::string_view document_id,
                               std::optional<std::string_view> version) {
  std::uint64_t count = 0;
  for (LiveSegment& segment : segments)
    for (std::uint32_t document : segment.segment->find_document(document_id))
      if (!version || segment.segment->documents().version(document) == *version)
        count += segment.mark(document);
  return count;
}

}  // namespace

Result<std::uint64_t> IndexWriter::remove(std::string_view document_id) {
  State& state = *state_;
  RAGLINE_CHECK(state.error);
  RAGLINE_CHECK(state.push_batch());
  state.removals[{std::string(document_id), std::nullopt}] = state.sequence + 1;
  RAGLINE_TRY(const std::uint64_t count, mark_old(state.old, document_id, std::nullopt));
  state.removed += count;
  return count;
}

Result<std::uint64_t> IndexWriter::remove(std::string_view document_id, std::string_view version) {
  State& state = *state_;
  RAGLINE_CHECK(state.error);
  RAGLINE_CHECK(state.push_batch());
  state.removals[{std::string(document_id), std::string(version)}] = state.sequence + 1;
  RAGLINE_TRY(const std::uint64_t count, mark_old(state.old, document_id, version));
  state.removed += count;
  return count;
}

Result<CommitReport> IndexWriter::commit() {
  State& state = *state_;
  RAGLINE_CHECK(state.error);
  Result<CommitReport> report = state.commit();
  if (!report) state.error = std::unexpected(report.error());
  return report;
}

Result<CommitReport> IndexWriter::State::commit() {
  RAGLINE_CHECK(push_batch());
  std::vector<BuiltSegment> built;
  if (builders) {
    RAGLINE_TRY(built, builders->finish());
  }
  CommitPlan plan;
  plan.storage = storage.get();
  plan.next_number = [this] { return next_number++; };
  plan.begin_segment = [this] { return begin_segment(); };
  plan.merge_all = std::exchange(merge_all, false);
  plan.is_new = !exists;
  RAGLINE_TRY(Commit next,
              prepare_commit(plan, *before, manifest, std::move(old), std::move(built), removals));
  if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted: the index is as it was");

  next.report.deleted = std::exchange(removed, 0);
  removals.clear();
  if (next.report.changed) {
    may_be_published = true;
    RAGLINE_CHECK(write_manifest(*storage, next.snapshot->manifest));
    exists = true;
    may_be_published = false;
  }
  // Committed. What is not named (any longer) goes; what cannot be removed now is the next
  // writer's.
  (void)remove_leftovers(*storage, next.snapshot->manifest);
  begun.clear();  // no thread runs
  adopt(std::move(next.snapshot));
  return next.report;
}

}  // namespace ragline
