#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bitmap.h"
#include "core/result.h"
#include "core/storage.h"
#include "corpus/source.h"
#include "index/documents.h"
#include "index/manifest.h"
#include "index/rows.h"
#include "index/text_store.h"
#include "index/vectors.h"
#include "lexical/postings.h"
#include "record/record.h"

// One immutable segment: documents, each a run of chunks with neighbouring ordinals, their text, and their postings.
namespace ragline {

// Open and read-only. Files are mapped: opening reads the directories of columns and blocks and checks that they are sound,
// the rest is checked as it is read.
//   Threads  const, any number; reading text needs one scratch buffer a call
class Segment {
 public:
  // kNotFound when a file is gone (a merge has just removed it), kCorrupt, kVersion.
  static Result<std::shared_ptr<const Segment>> open(const Storage& storage, const SegmentEntry& entry);
  // The same segment with other deletes: chunks of whole documents. Shares everything else.
  std::shared_ptr<const Segment> with_deletes(Bitmap deleted) const;

  const std::string& name() const { return name_; }
  std::uint32_t chunk_count() const { return postings_->chunk_count(); }
  std::uint32_t document_count() const { return documents().size(); }
  const SegmentPostings& postings() const { return *postings_; }
  // The vector of a chunk, as its codes give it; empty when it has none.
  std::vector<float> vector_of(std::uint32_t chunk) const;
  // Null when no chunk has a vector.
  const VectorTable* vectors() const;
  // Deleted chunks; null when none.
  const Bitmap* deleted() const { return deleted_ ? &*deleted_ : nullptr; }
  bool is_deleted_document(std::uint32_t document) const {
    return deleted_ && deleted_->test(documents().first_chunks()[document]);
  }

  DocumentEntry document(std::uint32_t document) const { return documents().entry(document); }
  std::uint32_t document_of(std::uint32_t chunk) const { return documents().document_of(chunk); }
  // document_count() + 1 entries, ascending: where each document's chunks begin. For RankOptions::first_chunk.
  std::span<const std::uint32_t> first_chunks() const { return documents().first_chunks(); }
  // chunk -> place in the order (document_id bytes, version bytes, ordinal); empty when that is the order of ordinals.
  std::span<const std::uint32_t> tie_rank() const { return documents().tie_rank(); }
  // Documents with this id (its versions), in version order, deleted ones included.
  std::vector<std::uint32_t> find_document(std::string_view document_id) const;

  // Everything that was stored of a chunk, its document's fields included, and `vector` left empty. kCorrupt on damage:
  // what is returned has passed the checksums of its text and of its document's columns.
  Result<Chunk> chunk(std::uint32_t chunk) const;
  // The document's own record, without `text` (its chunks carry it).
  Result<Document> document_record(std::uint32_t document) const;
  // A block of text that stays open between calls, for reading neighbours. For one segment and one thread.
  struct OpenBlock {
    std::optional<std::size_t> number;
    std::string rows;
  };
  Result<Document> document_record(std::uint32_t document, OpenBlock& open) const;
  // The size and time of the document's file when it was read, for noticing that it has changed.
  Result<SourceStamp> source(std::uint32_t document) const;
  // A document with its chunks, as scan() gives it.
  Result<ChunkedDocument> whole_document(std::uint32_t document) const;
  // Every live document with its chunks, in order, each block of text opened once: for exports and checks.
  // Documents carry no text, and no rows_of. An error of `visit` stops the scan and is returned.
  Status scan(const std::function<Status(std::uint32_t document, ChunkedDocument&&)>& visit) const;

  const DocumentTable& documents() const;
  const TextReader& text() const;

  // Verifies every checksum, offset and count of every file; the first problem is returned.
  Status check() const;

 private:
  struct Files;
  Segment() = default;
  Result<DocumentRow> document_row(std::uint32_t document, OpenBlock& open) const;

  std::string name_;
  std::shared_ptr<const Files> files_;
  std::shared_ptr<const SegmentPostings> postings_;
  std::optional<Bitmap> deleted_;
};

// Gathers documents and writes them as a segment. One object per thread; reusable after write().
//   Memory   memory() bytes: the postings, the columns and one block of text; the text itself only without begin()
//   Errors   kData for a document without chunks, with a time that is none, or whose chunk has other governance fields;
//            kIo from the storage. After kIo the object is good for nothing.
class SegmentWriter {
 public:
  SegmentWriter();
  ~SegmentWriter();
  SegmentWriter(SegmentWriter&&) noexcept;
  SegmentWriter& operator=(SegmentWriter&&) noexcept;

  // The language of documents that state none; empty (the default): detected for each.
  void set_language(std::string code);
  // Makes folder `name` and lets text go there as it comes, instead of waiting in memory for write().
  Status begin(Storage& storage, const std::string& name);
  Status add(const ChunkedDocument& document);
  std::uint32_t chunk_count() const;
  std::uint32_t document_count() const;
  std::size_t memory() const;
  // Writes folder `name` (that of begin(), if it was called), every file and the folder synced, and empties the writer.
  Result<SegmentEntry> write(Storage& storage, const std::string& name);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Writes the live documents of several segments as one, in input order, without analysing again. Full blocks of text are copied
// as they are.
Result<SegmentEntry> merge_segments(std::span<const std::shared_ptr<const Segment>> inputs, Storage& storage,
                                    const std::string& name);

}  // namespace ragline
