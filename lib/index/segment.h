#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bitmap.h"
#include "core/result.h"
#include "core/storage.h"
#include "corpus/source.h"
#include "index/manifest.h"
#include "lexical/postings.h"
#include "record/record.h"
#include "record/time.h"

// One immutable segment: documents, each a run of chunks with neighbouring ordinals, their text, and their postings.
namespace ragline {

// What filters and ties need of a document without touching its text.
struct DocumentEntry {
  std::string_view document_id, version, path, tenant;
  TimePoint effective_from = kMinTime, effective_to = kMaxTime;
  bool labelled = false;                  // has an acl
  std::uint32_t first_chunk = 0, chunks = 0;
};

class Segment {
 public:
  static Result<std::shared_ptr<const Segment>> open(const Storage& storage, const SegmentEntry& entry);

  const std::string& name() const { return name_; }
  std::uint32_t chunk_count() const;
  std::uint32_t document_count() const;
  const SegmentPostings& postings() const { return *postings_; }
  // Deleted chunks; null when none.
  const Bitmap* deleted() const { return deleted_ ? &*deleted_ : nullptr; }
  bool is_deleted_document(std::uint32_t document) const;

  DocumentEntry document(std::uint32_t document) const;
  std::uint32_t document_of(std::uint32_t chunk) const;
  // document_count() + 1 entries: where each document's chunks begin. For RankOptions::first_chunk.
  std::span<const std::uint32_t> first_chunks() const;
  // chunk -> place in the order (document_id bytes, version bytes, ordinal); empty when that is the order of ordinals.
  std::span<const std::uint32_t> tie_rank() const;
  // Documents with this id (its versions), in version order.
  std::vector<std::uint32_t> find_document(std::string_view document_id) const;

  // Everything that was stored of a chunk, its document's fields included, and `vector` left empty. kCorrupt on damage.
  Result<Chunk> chunk(std::uint32_t chunk) const;
  // The document's own record, without `text` (its chunks carry it).
  Result<Document> document_record(std::uint32_t document) const;

  // Verifies every checksum, offset and count of every file.
  Status check() const;

 private:
  friend class SegmentWriter;
  Segment() = default;
  struct Tables;
  std::string name_;
  std::shared_ptr<const Tables> tables_;
  std::unique_ptr<SegmentPostings> postings_;
  std::optional<Bitmap> deleted_;
  std::optional<Bitmap> deleted_documents_;
};

// Gathers documents and writes them as a segment. One object per thread.
class SegmentWriter {
 public:
  SegmentWriter();
  ~SegmentWriter();
  Status add(const ChunkedDocument& document);
  std::uint32_t chunk_count() const;
  std::size_t memory() const;
  // Writes folder `name` (made if need be), every file synced, and empties the writer.
  Result<SegmentEntry> write(Storage& storage, const std::string& name);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Writes the live documents of several segments as one, in input order, without analysing again.
Result<SegmentEntry> merge_segments(std::span<const std::shared_ptr<const Segment>> inputs, Storage& storage,
                                    const std::string& name);

}  // namespace ragline
