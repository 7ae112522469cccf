#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/checked_file.h"
#include "core/result.h"
#include "core/storage.h"
#include "corpus/source.h"
#include "vector/flat.h"

// The vectors of an index: one a chunk or none, as 8-bit codes with a scale a row (vector/quantise.h), in the file "vectors" of each
// segment that has any. All vectors of an index are of one space.
namespace ragline {

// What vectors can be compared: those of one embedder.
struct VectorSpace {
  std::string fingerprint;       // embed/embedder.h; "external" for vectors that came with records that name no model
  std::string model;             // name or path to open the embedder with, for queries; empty: none is known
  std::uint32_t dimensions = 0;  // 0: not known before the first vector
};

// Gives documents their vectors while an index is built. It stands between the index and whatever makes vectors.
//   Threads  embed() is called by any number of threads at once
class DocumentEmbedder {
 public:
  virtual ~DocumentEmbedder() = default;
  // Fills document.vectors. kData for a vector of a record that is none, or of another space.
  virtual Status embed(ChunkedDocument& document) = 0;
  // Dimensions are those seen so far.
  virtual VectorSpace space() const = 0;
};

// Gathers the vectors of a segment's chunks, in their order.
class VectorWriter {
 public:
  // `rows`: dimensions() floats for each of `chunks` chunks, one after the other, a row of zeros for a chunk without one; or empty, when
  // none has one.
  void add(std::span<const float> rows, std::uint32_t chunks);
  // A row of another segment; no codes: none.
  void add_codes(std::span<const std::int8_t> codes, RowScale scale, std::uint32_t dimensions);
  // Chunks that have one.
  std::uint32_t count() const { return count_; }
  std::size_t memory() const { return codes_.size() + scales_.size() * sizeof(RowScale); }
  // Writes the file, when there is any vector, and empties the writer.
  Status write(Storage& storage, std::string_view segment);

 private:
  void set_dimensions(std::uint32_t dimensions);
  std::uint32_t dimensions_ = 0, count_ = 0;
  std::vector<std::int8_t> codes_;  // padded_dimensions() a row; empty before the first vector
  std::vector<RowScale> scales_;    // one a chunk; zero: none
};

// The file, mapped.
class VectorTable {
 public:
  // kCorrupt unless it has `chunks` rows.
  static Result<VectorTable> open(const Storage& storage, std::string_view segment, std::uint32_t chunks);
  // One row a chunk; without copies, so that scores are those of the codes.
  const FlatRows& rows() const { return rows_; }
  bool has(std::uint32_t chunk) const { return rows_.scales[chunk].scale > 0; }
  std::span<const std::int8_t> codes(std::uint32_t chunk) const;
  // One bit a chunk: those that have a vector.
  std::span<const std::uint64_t> present() const { return present_; }
  // Reads every byte. kCorrupt names the file.
  Status check() const;

 private:
  CheckedFile file_;
  FlatRows rows_;
  std::span<const std::uint64_t> present_;
};

}  // namespace ragline
