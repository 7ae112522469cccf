// Several segments into one, without analysing again.
#include "core/interrupt.h"
#include "index/segment.h"
#include "index/segment_output.h"
#include "lexical/merge.h"

namespace ragline {

namespace {

bool is_live(const Segment& segment, std::size_t block) {
  if (!segment.deleted()) return true;
  const TextReader& text = segment.text();
  for (std::uint32_t document = text.blocks()[block].first_document;
       document < text.document_end(block); ++document)
    if (segment.is_deleted_document(document)) return false;
  // A document that began in a block before may go on here.
  for (std::uint32_t chunk = text.blocks()[block].first_chunk; chunk < text.chunk_end(block);
       ++chunk)
    if (segment.deleted()->test(chunk)) return false;
  return true;
}

// The rows of live documents; blocks that hold nothing else are copied as they are.
Status copy_text(const Segment& segment, TextWriter& out, CheckedWriter& file) {
  const TextReader& text = segment.text();
  std::string raw;
  for (std::size_t block = 0; block < text.blocks().size(); ++block) {
    if (!is_live(segment, block) || !out.copy_block(text, block)) {
      RAGLINE_CHECK(text.read(block, raw));
      std::uint32_t document = text.blocks()[block].first_document,
                    chunk = text.blocks()[block].first_chunk;
      RowCursor cursor(raw);
      while (cursor.next()) {
        const bool is_document = cursor.kind() == StoredRow::kDocumentRow;
        if (is_document ? document >= text.document_end(block) : chunk >= text.chunk_end(block))
          break;
        const bool gone = is_document ? segment.is_deleted_document(document)
                                      : segment.deleted() && segment.deleted()->test(chunk);
        ++(is_document ? document : chunk);
        if (!gone) out.add(cursor.kind(), cursor.row());
      }
      if (!cursor.ok() || document != text.document_end(block) || chunk != text.chunk_end(block))
        return std::unexpected(text.corrupt("the rows of a block are damaged"));
    }
    RAGLINE_CHECK(out.drain(file));
  }
  return {};
}

void copy_vectors(const Segment& segment, VectorWriter& out) {
  const VectorTable* table = segment.vectors();
  for (std::uint32_t chunk = 0; chunk < segment.chunk_count(); ++chunk) {
    if (segment.deleted() && segment.deleted()->test(chunk)) continue;
    if (table && table->has(chunk)) {
      out.add_codes(table->codes(chunk), table->rows().scales[chunk], static_cast<std::uint32_t>(table->rows().dimensions));
    } else {
      out.add_codes({}, {}, 0);
    }
  }
}

}  // namespace

Result<SegmentEntry> merge_segments(std::span<const std::shared_ptr<const Segment>> inputs,
                                    Storage& storage, const std::string& name) {
  RAGLINE_TRY(CheckedWriter file, create_text(storage, name));
  TextWriter text;
  DocumentWriter documents;
  VectorWriter vectors;
  std::vector<MergeInput> postings;
  for (const auto& input : inputs) {
    if (interrupted())
      return fail(ErrorKind::kInterrupted, "interrupted while merging: the index is as it was");
    RAGLINE_CHECK(copy_text(*input, text, file));
    for (std::uint32_t document = 0; document < input->document_count(); ++document)
      if (!input->is_deleted_document(document)) documents.add(input->document(document));
    copy_vectors(*input, vectors);
    postings.push_back({&input->postings(), input->deleted()});
  }
  SegmentEntry entry;
  entry.name = name;
  entry.documents = documents.size();
  entry.chunks = documents.chunk_count();
  RAGLINE_CHECK(write_documents(storage, name, file, text, documents));
  RAGLINE_CHECK(merge_postings(postings, storage, name));
  entry.vectors = vectors.count();
  RAGLINE_CHECK(vectors.write(storage, name));
  RAGLINE_CHECK(storage.sync_folder(name));
  RAGLINE_TRY(entry.bytes, segment_bytes(storage, name));
  return entry;
}

}  // namespace ragline
