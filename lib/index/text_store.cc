#include "index/text_store.h"

#include <algorithm>

#include "core/bytes.h"
#include "core/hash.h"
#include "core/text.h"

namespace ragline {

namespace {

// Behind the table: its offset, the number of blocks, the documents and chunks, and a hash of table
// and tail.
constexpr std::size_t kTail = 8 + 4 + 4 + 4 + 4 + 8;

std::uint32_t frame_hash(std::string_view frame) {
  return static_cast<std::uint32_t>(hash64(frame));
}

}  // namespace

Result<TextReader> TextReader::open(const Storage& storage, std::string_view name,
                                    std::uint32_t documents, std::uint32_t chunks) {
  TextReader reader;
  reader.where_ = cat(storage.describe(), "/", name);
  reader.documents_ = documents;
  reader.chunks_ = chunks;
  RAGLINE_TRY(reader.file_, CheckedFile::open(storage, name, kTextKind, kTextVersion));
  const std::string_view payload = reader.file_.payload();
  if (payload.size() < kTail) return std::unexpected(reader.corrupt("the block table is missing"));
  ByteReader tail(payload.substr(payload.size() - kTail));
  const auto offset = tail.fixed<std::uint64_t>();
  const auto count = tail.fixed<std::uint32_t>();
  const auto stored_documents = tail.fixed<std::uint32_t>(),
             stored_chunks = tail.fixed<std::uint32_t>();
  tail.fixed<std::uint32_t>();
  const auto hash = tail.fixed<std::uint64_t>();
  const std::size_t table_end = payload.size() - kTail;
  if (offset > table_end || (kFileHeader + offset) % alignof(TextBlock) != 0 ||
      (table_end - offset) / sizeof(TextBlock) != count ||
      (table_end - offset) % sizeof(TextBlock) != 0 ||
      hash64(payload.substr(offset, payload.size() - offset - 8)) != hash)
    return std::unexpected(reader.corrupt("the block table is damaged"));
  if (stored_documents != documents || stored_chunks != chunks)
    return std::unexpected(reader.corrupt("it holds other documents than MANIFEST says"));
  reader.blocks_ = {reinterpret_cast<const TextBlock*>(payload.data() + offset), count};
  // The hash speaks for the writer's bytes, not for a hostile writer's sense.
  std::uint64_t end = 0;
  std::uint32_t first_document = 0, first_chunk = 0;
  for (const TextBlock& block : reader.blocks_) {
    if (block.offset < end || block.offset > offset || block.size > offset - block.offset ||
        block.first_document < first_document || block.first_document > documents ||
        block.first_chunk < first_chunk || block.first_chunk > chunks)
      return std::unexpected(reader.corrupt("the block table is out of bounds"));
    end = block.offset + block.size;
    first_document = block.first_document;
    first_chunk = block.first_chunk;
  }
  const bool starts_at_zero = reader.blocks_.empty() ? documents == 0 && chunks == 0
                                                     : reader.blocks_[0].first_document == 0 &&
                                                           reader.blocks_[0].first_chunk == 0;
  if (!starts_at_zero) return std::unexpected(reader.corrupt("the block table is out of bounds"));
  return reader;
}

std::size_t TextReader::block_of_chunk(std::uint32_t chunk) const {
  const auto after = std::upper_bound(
      blocks_.begin(), blocks_.end(), chunk,
      [](std::uint32_t value, const TextBlock& block) { return value < block.first_chunk; });
  return static_cast<std::size_t>(after - blocks_.begin()) - 1;
}

std::size_t TextReader::block_of_document(std::uint32_t document) const {
  const auto after = std::upper_bound(
      blocks_.begin(), blocks_.end(), document,
      [](std::uint32_t value, const TextBlock& block) { return value < block.first_document; });
  return static_cast<std::size_t>(after - blocks_.begin()) - 1;
}

std::string_view TextReader::frame(std::size_t block) const {
  return file_.payload().substr(blocks_[block].offset, blocks_[block].size);
}

Status TextReader::read(std::size_t block, std::string& raw) const {
  const std::string_view bytes = frame(block);
  if (frame_hash(bytes) != blocks_[block].hash ||
      !decompress_block(bytes, blocks_[block].raw_size, raw))
    return std::unexpected(corrupt(cat("text block ", block, " is damaged")));
  return {};
}

Error TextReader::corrupt(std::string_view what) const {
  return {ErrorKind::kCorrupt,
          cat(where_, ": ", what, ": build the index anew, or restore it from a copy")};
}

void TextWriter::add(StoredRow kind, std::string_view row) {
  if (!raw_.empty() && raw_.size() + row.size() > kTextBlock) close_block();
  put_varint(raw_, static_cast<std::uint64_t>(row.size()) << 1 | static_cast<std::uint64_t>(kind));
  raw_ += row;
  ++(kind == StoredRow::kDocumentRow ? documents_ : chunks_);
}

bool TextWriter::copy_block(const TextReader& from, std::size_t block) {
  const TextBlock& entry = from.blocks()[block];
  if (entry.raw_size < kTextBlock / 2) return false;
  close_block();
  documents_ += from.document_end(block) - entry.first_document;
  chunks_ += from.chunk_end(block) - entry.first_chunk;
  ready_ += from.frame(block);
  push_block(from.frame(block), entry.raw_size);
  return true;
}

void TextWriter::close_block() {
  if (raw_.empty()) return;
  const std::size_t start = ready_.size();
  compressor_.append(ready_, raw_);
  push_block(std::string_view(ready_).substr(start), raw_.size());
  raw_.clear();
}

// `frame` is in ready_ already.
void TextWriter::push_block(std::string_view frame, std::size_t raw_size) {
  TextBlock& block = table_.emplace_back();
  block.offset = offset_;
  block.size = static_cast<std::uint32_t>(frame.size());
  block.raw_size = static_cast<std::uint32_t>(raw_size);
  block.first_document = std::exchange(block_documents_, documents_);
  block.first_chunk = std::exchange(block_chunks_, chunks_);
  block.hash = frame_hash(frame);
  offset_ += frame.size();
}

Status TextWriter::drain(CheckedWriter& file) {
  if (ready_.empty()) return {};
  Status status = file.append(ready_);
  ready_.clear();
  return status;
}

Status TextWriter::finish(CheckedWriter& file) {
  close_block();
  RAGLINE_CHECK(drain(file));
  RAGLINE_CHECK(file.align(alignof(TextBlock)));
  const std::uint64_t offset = file.offset();
  std::string table(reinterpret_cast<const char*>(table_.data()),
                    table_.size() * sizeof(TextBlock));
  put_fixed(table, offset);
  put_fixed(table, static_cast<std::uint32_t>(table_.size()));
  put_fixed(table, documents_);
  put_fixed(table, chunks_);
  put_fixed(table, std::uint32_t{0});
  put_fixed(table, hash64(table));
  table_.clear();
  offset_ = 0;
  documents_ = chunks_ = block_documents_ = block_chunks_ = 0;
  return file.append(table);
}

}  // namespace ragline
