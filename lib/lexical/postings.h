#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bitmap.h"
#include "core/bytes.h"
#include "core/checked_file.h"
#include "core/result.h"
#include "lexical/field.h"

// Reading one segment's inverted index. Byte layouts: lib/index/FORMAT.md.
//
// Mapped, not loaded: opening costs a few system calls. Everything is bounds-checked; a list that breaks a bound yields no more postings and
// raises corrupted(), which the searcher turns into one kCorrupt error, so that hot loops carry no error values.
// Threads: const access from many threads is safe.
namespace ragline {

inline constexpr std::uint32_t kBlock = 128;  // postings in a block; the last of a list may hold fewer

// Where a term's postings are. Made by the dictionary only.
struct TermInfo {
  std::uint32_t doc_freq = 0;       // chunks that hold it, deleted ones included
  std::uint64_t postings = 0;       // byte offset in "postings"; meaningless for doc_freq 1
  std::uint64_t positions = 0;      // byte offset in "positions"
  std::uint32_t single_doc = 0, single_tf = 0;  // doc_freq 1: the posting itself
};

// One (tf, length) pair of a block's frontier: no posting of the block has both a higher tf and a smaller length than
// some pair, so max over pairs bounds the block's score for every k1 >= 0 and 0 <= b <= 1.
// tf 65535 stands for "65535 or more", length 65535 likewise.
struct ImpactPair {
  std::uint16_t tf, length;
};
inline constexpr std::size_t kFrontier = 4;
struct BlockEntry {
  std::uint32_t last_doc;
  std::uint32_t postings;   // byte offset of the block from the list's first block
  std::uint32_t positions;  // byte offset of the block's positions from the list's first
  ImpactPair frontier[kFrontier];
};
static_assert(sizeof(BlockEntry) == 28);

class SegmentPostings;

// A list of (chunk, tf), in blocks: from the index, or made in memory (phrases, unions). Cheap to copy.
class PostingList {
 public:
  PostingList() = default;
  // In memory: ascending docs, one tf each.
  PostingList(std::vector<std::uint32_t> docs, std::vector<std::uint32_t> tfs);

  std::uint32_t size() const { return size_; }
  std::uint32_t block_count() const { return (size_ + kBlock - 1) / kBlock; }
  std::uint32_t block_last_doc(std::uint32_t block) const;
  // False when there is none to read (short lists, lists in memory): then the block is to be decoded for its bound.
  bool block_frontier(std::uint32_t block, ImpactPair (&out)[kFrontier]) const;
  // Decodes docs and term frequencies; returns their number (0 on corruption).
  std::uint32_t decode(std::uint32_t block, std::uint32_t* docs, std::uint32_t* tfs) const;
  // The first block >= from whose last doc is >= doc; block_count() when there is none.
  std::uint32_t find_block(std::uint32_t doc, std::uint32_t from) const;
  // Positions of every posting of a block, flat: posting i's are its next tfs[i] ones. Needs the block's tfs.
  bool decode_positions(std::uint32_t block, std::span<const std::uint32_t> tfs, std::vector<std::uint32_t>& out) const;
  // Adds every chunk to `set`.
  void collect(Bitmap& set) const;

 private:
  friend class SegmentPostings;
  struct Memory {
    std::vector<std::uint32_t> docs, tfs;
  };
  std::uint32_t size_ = 0;
  const SegmentPostings* segment_ = nullptr;
  const char* directory_ = nullptr;   // BlockEntry[block_count], unaligned; null for lists of one short block
  std::string_view blocks_;           // from the first block to the file's end
  std::string_view positions_;
  std::uint32_t single_doc_ = 0, single_tf_ = 0;
  std::shared_ptr<const Memory> memory_;
};

// Lengths of one field, by chunk; width 0 when all are zero.
class LengthColumn {
 public:
  std::uint32_t operator[](std::uint32_t chunk) const {
    switch (width_) {
      case 1: return static_cast<unsigned char>(data_[chunk]);
      case 2: return get_fixed<std::uint16_t>(data_ + std::size_t{2} * chunk);
      case 4: return get_fixed<std::uint32_t>(data_ + std::size_t{4} * chunk);
      default: return 0;
    }
  }
  int width() const { return width_; }
  const char* data() const { return data_; }
  std::uint32_t longest() const { return longest_; }

 private:
  friend class SegmentPostings;
  const char* data_ = nullptr;
  int width_ = 0;
  std::uint32_t longest_ = 0;
};

// Sums that add over segments: what BM25 needs of a collection, by language.
struct LanguageStatistics {
  std::uint64_t chunks = 0;
  std::array<std::uint64_t, kTextFieldCount> length{};  // total length by field
  LanguageStatistics& operator+=(const LanguageStatistics& other) {
    chunks += other.chunks;
    for (std::size_t i = 0; i < kTextFieldCount; ++i) length[i] += other.length[i];
    return *this;
  }
  bool operator==(const LanguageStatistics&) const = default;
};
using Statistics = std::map<Language, LanguageStatistics>;

// Terms in key order from a place on.
class TermIterator {
 public:
  bool valid() const { return valid_; }
  const std::string& key() const { return key_; }
  const TermInfo& info() const { return info_; }
  void next();

 private:
  friend class SegmentPostings;
  const SegmentPostings* segment_ = nullptr;
  std::uint64_t block_ = 0;
  std::uint32_t left_ = 0;
  ByteReader reader_{std::string_view()};
  std::string key_;
  TermInfo info_;
  bool valid_ = false;
  void open_block(std::uint64_t block);
  void read_entry();
};

class SegmentPostings {
 public:
  // chunk_count comes from the manifest and must be what the files say.
  static Result<std::unique_ptr<SegmentPostings>> open(const Storage& storage, std::string_view folder,
                                                       std::uint32_t chunk_count);
  std::uint32_t chunk_count() const { return chunk_count_; }
  std::uint64_t term_count() const { return term_count_; }
  const Statistics& statistics() const { return statistics_; }
  // The language whose terms a chunk holds.
  Language language(std::uint32_t chunk) const;
  LengthColumn lengths(Field field) const;

  std::optional<TermInfo> find(std::string_view key) const;
  // The first term >= key.
  TermIterator seek(std::string_view key) const;
  PostingList list(const TermInfo& info) const;
  // Convenience: the list of a key, empty when there is none.
  PostingList list(std::string_view key) const;

  // Sticky: some read met bytes that cannot be.
  bool corrupted() const { return corrupted_.load(std::memory_order_relaxed); }
  void mark_corrupted() const { corrupted_.store(true, std::memory_order_relaxed); }
  // Reads everything: checksums, order of keys, every block against its directory entry, frontier and lengths.
  Status check() const;

 private:
  friend class TermIterator;
  friend class PostingList;
  CheckedFile terms_, postings_, positions_, lengths_;
  std::string where_;
  std::uint32_t chunk_count_ = 0;
  std::uint64_t term_count_ = 0, term_block_count_ = 0;
  std::string_view term_data_, term_index_;
  std::array<LengthColumn, kTextFieldCount> columns_;
  std::string_view languages_;  // one byte a chunk, or one for all
  Statistics statistics_;
  mutable std::atomic<bool> corrupted_{false};
};

}  // namespace ragline
