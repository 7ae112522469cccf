#include "index/segment.h"

#include <utility>

#include "core/text.h"
#include "index/deletes.h"
#include "index/rows.h"
#include "index/segment_files.h"

namespace ragline {

namespace {

// The n-th row of a kind in an opened block.
std::optional<std::string_view> nth_row(std::string_view raw, StoredRow kind, std::uint32_t n) {
  RowCursor cursor(raw);
  while (cursor.next())
    if (cursor.kind() == kind && n-- == 0) return cursor.row();
  return std::nullopt;
}

Document to_document(DocumentRow&& row, const DocumentEntry& entry) {
  Document document;
  document.document_id = entry.document_id;
  document.version = entry.version;
  document.path = entry.path;
  document.media_type = std::move(row.media_type);
  document.language = std::move(row.language);
  document.governance = std::move(row.governance);
  document.governance.tenant = entry.tenant;
  document.checksum = std::move(row.checksum);
  document.title = std::move(row.title);
  document.metadata = std::move(row.metadata);
  document.extra = std::move(row.extra);
  return document;
}

Chunk new_chunk(const DocumentEntry& entry) {
  Chunk chunk;
  chunk.document_id = entry.document_id;
  chunk.version = entry.version;
  chunk.path = entry.path;
  chunk.governance.tenant = entry.tenant;
  return chunk;
}

}  // namespace

struct Segment::Files {
  DocumentTable documents;
  TextReader text;
  std::optional<VectorTable> vectors;
};

const DocumentTable& Segment::documents() const { return files_->documents; }
const TextReader& Segment::text() const { return files_->text; }
std::vector<float> Segment::vector_of(std::uint32_t chunk) const {
  if (!vectors() || !vectors()->has(chunk)) return {};
  std::vector<float> row(vectors()->rows().dimensions);
  dequantise(vectors()->codes(chunk), vectors()->rows().scales[chunk].scale, row);
  return row;
}

const VectorTable* Segment::vectors() const { return files_->vectors ? &*files_->vectors : nullptr; }

Result<std::shared_ptr<const Segment>> Segment::open(const Storage& storage, const SegmentEntry& entry) {
  auto segment = std::shared_ptr<Segment>(new Segment());
  segment->name_ = entry.name;
  RAGLINE_TRY(DocumentTable documents,
              DocumentTable::open(storage, documents_file(entry.name), entry.documents, entry.chunks));
  RAGLINE_TRY(TextReader text, TextReader::open(storage, text_file(entry.name), entry.documents, entry.chunks));
  RAGLINE_TRY(segment->postings_, SegmentPostings::open(storage, entry.name, entry.chunks));
  if (!entry.deletes.empty()) {
    RAGLINE_TRY(segment->deleted_, read_deletes(storage, entry.deletes, entry.chunks, entry.deleted_chunks));
  }
  std::optional<VectorTable> vectors;
  if (entry.vectors > 0) {
    RAGLINE_TRY(vectors, VectorTable::open(storage, entry.name, entry.chunks));
  }
  segment->files_ = std::make_shared<const Files>(Files{std::move(documents), std::move(text), std::move(vectors)});
  return segment;
}

std::shared_ptr<const Segment> Segment::with_deletes(Bitmap deleted) const {
  auto segment = std::shared_ptr<Segment>(new Segment(*this));
  segment->deleted_ = std::move(deleted);
  return segment;
}

std::vector<std::uint32_t> Segment::find_document(std::string_view document_id) const {
  std::vector<std::uint32_t> found;
  const auto [first, last] = documents().find(document_id);
  for (std::uint32_t place = first; place < last; ++place)
    if (const std::uint32_t document = documents().in_order(place); document < document_count())
      found.push_back(document);
  return found;
}

Result<Chunk> Segment::chunk(std::uint32_t chunk) const {
  if (chunk >= chunk_count()) return fail(ErrorKind::kNotFound, cat(name_, " has no chunk ", chunk));
  const std::uint32_t document = document_of(chunk);
  const DocumentEntry entry = documents().entry(document);
  const std::size_t block = text().block_of_chunk(chunk), document_block = text().block_of_document(document);
  std::string raw, document_raw;
  RAGLINE_CHECK(text().read(block, raw));
  if (document_block != block) RAGLINE_CHECK(text().read(document_block, document_raw));

  const auto document_row = nth_row(document_block == block ? raw : document_raw, StoredRow::kDocumentRow,
                                    document - text().blocks()[document_block].first_document);
  const auto chunk_row = nth_row(raw, StoredRow::kChunkRow, chunk - text().blocks()[block].first_chunk);
  DocumentRow shared;
  Chunk out = new_chunk(entry);
  if (!document_row || !chunk_row || !decode_document_row(*document_row, shared) ||
      !decode_chunk_row(*chunk_row, shared, chunk - entry.first_chunk, out))
    return std::unexpected(text().corrupt(cat("the row of chunk ", chunk, " is damaged")));
  if (shared.columns_hash != columns_hash(entry))
    return std::unexpected(text().corrupt(cat("the columns of document ", document, " do not fit its row")));
  return out;
}

Result<DocumentRow> Segment::document_row(std::uint32_t document, OpenBlock& open) const {
  if (document >= document_count()) return fail(ErrorKind::kNotFound, cat(name_, " has no document ", document));
  const std::size_t block = text().block_of_document(document);
  if (open.number != block) {
    open.number.reset();
    RAGLINE_CHECK(text().read(block, open.rows));
    open.number = block;
  }
  const auto row = nth_row(open.rows, StoredRow::kDocumentRow, document - text().blocks()[block].first_document);
  DocumentRow shared;
  if (!row || !decode_document_row(*row, shared))
    return std::unexpected(text().corrupt(cat("the row of document ", document, " is damaged")));
  if (shared.columns_hash != columns_hash(documents().entry(document)))
    return std::unexpected(text().corrupt(cat("the columns of document ", document, " do not fit its row")));
  return shared;
}

Result<Document> Segment::document_record(std::uint32_t document) const {
  OpenBlock open;
  return document_record(document, open);
}

Result<Document> Segment::document_record(std::uint32_t document, OpenBlock& open) const {
  RAGLINE_TRY(DocumentRow row, document_row(document, open));
  return to_document(std::move(row), documents().entry(document));
}

Result<SourceStamp> Segment::source(std::uint32_t document) const {
  OpenBlock open;
  RAGLINE_TRY(const DocumentRow row, document_row(document, open));
  return row.source;
}

Result<ChunkedDocument> Segment::whole_document(std::uint32_t document) const {
  OpenBlock open;
  RAGLINE_TRY(DocumentRow shared, document_row(document, open));
  const DocumentEntry entry = documents().entry(document);
  ChunkedDocument out;
  for (std::size_t block = *open.number; out.chunks.size() < entry.chunks && block < text().blocks().size(); ++block) {
    if (block != *open.number) RAGLINE_CHECK(text().read(block, open.rows));
    RowCursor cursor(open.rows);
    for (std::uint32_t chunk = text().blocks()[block].first_chunk; cursor.next() && out.chunks.size() < entry.chunks;) {
      if (cursor.kind() != StoredRow::kChunkRow || chunk++ < entry.first_chunk) continue;
      Chunk one = new_chunk(entry);
      if (!decode_chunk_row(cursor.row(), shared, static_cast<std::uint32_t>(out.chunks.size()), one))
        return std::unexpected(text().corrupt(cat("the rows of document ", document, " are damaged")));
      out.chunks.push_back(std::move(one));
    }
  }
  if (out.chunks.size() != entry.chunks)
    return std::unexpected(text().corrupt(cat("the rows of document ", document, " are damaged")));
  out.extractor = std::move(shared.extractor);
  out.source_size = shared.source.size;
  out.source_mtime_ns = shared.source.mtime_ns;
  out.document = to_document(std::move(shared), entry);
  return out;
}

Status Segment::scan(const std::function<Status(std::uint32_t document, ChunkedDocument&&)>& visit) const {
  std::string raw;
  std::uint32_t documents_seen = 0, chunks_seen = 0;
  DocumentEntry entry;
  DocumentRow shared;
  ChunkedDocument current;
  auto damaged = [&] {
    return std::unexpected(text().corrupt(cat("the rows of document ", documents_seen, " are damaged")));
  };
  for (std::size_t block = 0; block < text().blocks().size(); ++block) {
    // A block's place in the table is what look-ups go by.
    if (text().blocks()[block].first_document != documents_seen || text().blocks()[block].first_chunk != chunks_seen)
      return damaged();
    RAGLINE_CHECK(text().read(block, raw));
    RowCursor cursor(raw);
    while (cursor.next()) {
      if (cursor.kind() == StoredRow::kDocumentRow) {
        const bool in_turn = documents_seen < document_count() && first_chunks()[documents_seen] == chunks_seen;
        shared = {};
        if (!in_turn || !decode_document_row(cursor.row(), shared)) return damaged();
        entry = documents().entry(documents_seen++);
        if (shared.columns_hash != columns_hash(entry)) return damaged();
        current = {};
        continue;
      }
      const std::uint32_t place = chunks_seen - entry.first_chunk;
      Chunk chunk = new_chunk(entry);
      if (documents_seen == 0 || place >= entry.chunks || !decode_chunk_row(cursor.row(), shared, place, chunk))
        return damaged();
      ++chunks_seen;
      const std::uint32_t document = documents_seen - 1;
      if (is_deleted_document(document)) continue;
      current.chunks.push_back(std::move(chunk));
      if (place + 1 < entry.chunks) continue;
      current.extractor = std::move(shared.extractor);
      current.source_size = shared.source.size;
      current.source_mtime_ns = shared.source.mtime_ns;
      current.document = to_document(std::move(shared), entry);
      RAGLINE_CHECK(visit(document, std::move(current)));
    }
    if (!cursor.ok()) return damaged();
  }
  if (documents_seen != document_count() || chunks_seen != chunk_count()) return damaged();
  return {};
}

Status Segment::check() const {
  RAGLINE_CHECK(documents().check());
  RAGLINE_CHECK(text().verify());
  RAGLINE_CHECK(postings_->check());
  if (vectors()) RAGLINE_CHECK(vectors()->check());
  if (deleted_) {
    for (std::uint32_t document = 0; document < document_count(); ++document)
      for (std::uint32_t chunk = first_chunks()[document]; chunk < first_chunks()[document + 1]; ++chunk)
        if (deleted_->test(chunk) != is_deleted_document(document))
          return fail(ErrorKind::kCorrupt, cat(name_, ": document ", document, " is deleted in part: build the index anew"));
  }
  // Every row decodes, deleted ones too.
  Segment whole = *this;
  whole.deleted_.reset();
  return whole.scan([](std::uint32_t, ChunkedDocument&&) -> Status { return {}; });
}

}  // namespace ragline
