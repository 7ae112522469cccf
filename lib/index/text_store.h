#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.h"
#include "core/checked_file.h"
#include "core/result.h"
#include "core/storage.h"
#include "index/compress.h"

// The file "text" of a segment: a row for every document and every chunk (index/rows.h has their
// fields), in order, each document's row before those of its chunks, in compressed blocks of about
// 32 kB. FORMAT.md has the bytes.
//
// Rows hold no absolute ordinals, so a merge copies whole blocks without opening them.
namespace ragline {

inline constexpr std::string_view kTextKind = "TEXT";
inline constexpr std::uint32_t kTextVersion = 1;
inline constexpr std::size_t kTextBlock =
    32 << 10;  // raw bytes; a row that is larger has a block of its own

// An entry of the block table, as it is in the file.
struct TextBlock {
  std::uint64_t offset = 0;  // of the frame, in the payload
  std::uint32_t size = 0, raw_size = 0;
  std::uint32_t first_document = 0;  // document rows, and chunk rows, in all blocks before
  std::uint32_t first_chunk = 0;
  std::uint32_t hash = 0;  // low half of the frame's XXH3
  std::uint32_t zero = 0;
};
static_assert(sizeof(TextBlock) == 32);

enum class StoredRow : std::uint8_t { kChunkRow = 0, kDocumentRow = 1 };

// The rows of an opened block, in order.
class RowCursor {
 public:
  explicit RowCursor(std::string_view raw) : reader_(raw) {}
  // False at the end, and at damage (then ok() is false).
  bool next() {
    if (reader_.at_end()) return false;
    const std::uint64_t head = reader_.varint();
    kind_ = static_cast<StoredRow>(head & 1);
    row_ = reader_.bytes(head >> 1);
    return reader_.ok();
  }
  bool ok() const { return reader_.ok(); }
  StoredRow kind() const { return kind_; }
  std::string_view row() const { return row_; }

 private:
  ByteReader reader_;
  StoredRow kind_ = StoredRow::kChunkRow;
  std::string_view row_;
};

class TextReader {
 public:
  static Result<TextReader> open(const Storage& storage, std::string_view name,
                                 std::uint32_t documents, std::uint32_t chunks);
  std::span<const TextBlock> blocks() const { return blocks_; }
  // One past the last document, and chunk, of a block.
  std::uint32_t document_end(std::size_t block) const {
    return block + 1 < blocks_.size() ? blocks_[block + 1].first_document : documents_;
  }
  std::uint32_t chunk_end(std::size_t block) const {
    return block + 1 < blocks_.size() ? blocks_[block + 1].first_chunk : chunks_;
  }
  // The block that holds a row. Requires an ordinal in range.
  std::size_t block_of_chunk(std::uint32_t chunk) const;
  std::size_t block_of_document(std::uint32_t document) const;
  std::string_view frame(std::size_t block) const;
  // Replaces `raw`. kCorrupt names the file.
  Status read(std::size_t block, std::string& raw) const;
  Status verify() const { return file_.verify(); }
  Error corrupt(std::string_view what) const;

 private:
  CheckedFile file_;
  std::string where_;
  std::span<const TextBlock> blocks_;
  std::uint32_t documents_ = 0, chunks_ = 0;
};

// Gathers rows; compressed blocks leave by drain(), so that they need not stay in memory.
class TextWriter {
 public:
  void add(StoredRow kind, std::string_view row);
  // A block of another file, as it is: when it is not worth compressing anew (half full at least).
  // Returns false, with nothing done, when its rows should be added one by one.
  bool copy_block(const TextReader& from, std::size_t block);
  // Moves the blocks that are ready to `file`, which is always the same.
  Status drain(CheckedWriter& file);
  // The last block and the table; the writer is empty afterwards. The caller finishes the file.
  Status finish(CheckedWriter& file);
  std::size_t memory() const {
    return ready_.capacity() + raw_.capacity() + table_.capacity() * sizeof(TextBlock);
  }

 private:
  void close_block();
  void push_block(std::string_view frame, std::size_t raw_size);

  BlockCompressor compressor_;
  std::string raw_;    // of the block being filled
  std::string ready_;  // frames that drain() has not moved yet
  std::vector<TextBlock> table_;
  std::uint64_t offset_ = 0;                              // of the next frame
  std::uint32_t documents_ = 0, chunks_ = 0;              // rows so far
  std::uint32_t block_documents_ = 0, block_chunks_ = 0;  // rows before the block being filled
};

}  // namespace ragline
