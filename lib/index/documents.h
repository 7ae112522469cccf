#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/checked_file.h"
#include "core/result.h"
#include "core/storage.h"
#include "record/time.h"

// The file "documents" of a segment: what filters, ties and look-ups need of every document, as
// columns that are read in place. FORMAT.md has the bytes. A column whose values are all the
// default takes no room.
namespace ragline {

// What filters and ties need of a document without touching its text.
struct DocumentEntry {
  std::string_view document_id, version, path, tenant;
  TimePoint effective_from = kMinTime, effective_to = kMaxTime;
  bool labelled = false;  // has an acl
  std::uint32_t first_chunk = 0, chunks = 0;
};

// Over everything but the chunks' place, so that it outlives merges: what a document's row keeps of
// its columns.
std::uint32_t columns_hash(const DocumentEntry& entry);

// The columns of the file, in the order of its directory. Append only.
enum class Column : std::uint8_t {
  kIdOffsets,       // documents + 1; 4 or 8 bytes
  kIds,             // bytes
  kPathOffsets,     // documents + 1; 4 or 8 bytes
  kPaths,           // bytes
  kVersions,        // number in the dictionary below; 1, 2 or 4 bytes
  kVersionOffsets,  // distinct versions + 1; 4 or 8 bytes
  kVersionNames,    // bytes
  kTenants,
  kTenantOffsets,
  kTenantNames,
  kFrom,  // microseconds, 8 bytes
  kTo,
  kFlags,       // 1 byte
  kFirstChunk,  // documents + 1; 4 bytes
  kById,        // documents in the order of (id, version); 4 bytes
  kTieRank,     // a chunk's place in the order of (id, version, ordinal); 4 bytes
  kCount
};
inline constexpr std::size_t kColumns = static_cast<std::size_t>(Column::kCount);

enum DocumentFlag : std::uint8_t { kLabelledFlag = 1, kPathIsIdFlag = 2 };

class DocumentTable {
 public:
  static Result<DocumentTable> open(const Storage& storage, std::string_view name,
                                    std::uint32_t documents, std::uint32_t chunks);
  std::uint32_t size() const { return documents_; }
  // A hostile file yields empty strings where its offsets are out of bounds, never an access out of
  // bounds.
  DocumentEntry entry(std::uint32_t document) const;
  std::string_view id(std::uint32_t document) const;
  std::string_view version(std::uint32_t document) const;
  std::uint32_t document_of(std::uint32_t chunk) const;
  std::span<const std::uint32_t> first_chunks() const { return first_chunks_; }
  std::span<const std::uint32_t> tie_rank() const { return tie_rank_; }
  // The document at a place of the order by (id, version).
  std::uint32_t in_order(std::uint32_t place) const {
    return by_id_.empty() ? place : by_id_[place];
  }
  // The documents with this id, as places in that order: [first, second).
  std::pair<std::uint32_t, std::uint32_t> find(std::string_view id) const;
  bool has(Column column) const { return !columns_[static_cast<std::size_t>(column)].empty(); }
  // Some document has the flag.
  bool has_flag(DocumentFlag flag) const;
  // Reads everything: the checksum, every offset, the orders.
  Status check() const;

 private:
  std::string_view column(Column which) const { return columns_[static_cast<std::size_t>(which)]; }
  std::uint64_t number(Column which, std::uint64_t at) const;
  std::string_view string(Column offsets, Column bytes, std::uint64_t at) const;
  bool strings_fit(Column offsets, Column bytes) const;
  Error corrupt(std::string_view what) const;

  CheckedFile file_;
  std::string where_;
  std::uint32_t documents_ = 0, chunks_ = 0;
  std::string_view columns_[kColumns];
  std::uint32_t width_[kColumns] = {};
  std::span<const std::uint32_t> first_chunks_, by_id_, tie_rank_;
};

// Gathers the columns and writes them.
class DocumentWriter {
 public:
  // entry.first_chunk is not looked at: chunks follow those of the document before.
  void add(const DocumentEntry& entry);
  std::uint32_t size() const { return static_cast<std::uint32_t>(chunks_.size()); }
  std::uint32_t chunk_count() const { return chunk_count_; }
  std::size_t memory() const;
  // The writer is empty afterwards. The caller finishes the file.
  Status finish(CheckedWriter& file);

 private:
  struct Strings {
    std::string bytes;
    std::vector<std::uint64_t> offsets{0};
    void add(std::string_view text) {
      bytes += text;
      offsets.push_back(bytes.size());
    }
    std::string_view at(std::size_t i) const {
      return std::string_view(bytes).substr(offsets[i], offsets[i + 1] - offsets[i]);
    }
  };
  struct Dictionary {
    std::map<std::string, std::uint32_t, std::less<>> numbers;
    Strings names;
    std::vector<std::uint32_t> codes;
    void add(std::string_view name);
  };
  std::vector<std::uint32_t> sorted() const;

  Strings ids_, paths_;
  Dictionary versions_, tenants_;
  std::vector<TimePoint> from_, to_;
  std::vector<std::uint8_t> flags_;
  std::vector<std::uint32_t> chunks_;  // of each document
  std::uint32_t chunk_count_ = 0;
};

}  // namespace ragline
