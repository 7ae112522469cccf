#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vector/quantise.h"

// The nearest rows of a matrix by inner product (cosine, when rows and query have length 1), by
// looking at all of them.
//
//   FlatBuilder rows(256, FlatCopies::kNone);       // or kHalf, kFloat
//   rows.append(vector);                            // 256 floats
//   FlatRows view = rows.view();                    // or of the mapped arrays of a file
//   std::vector<Neighbour> best = search_flat(view, query, {.k = 10, .filter = bitmap.words()});
//
// It is exact. The scan reads codes alone (quantise.h), a quarter of the bytes of floats. A row's
// score of codes is off by
//
//   |q·x - score| <= |q|·|e_row| + |e_query|·|x|       (Cauchy and Schwarz; |e_row| is kept with
//   the row)
//
// so a row can be among the k best only when its score plus that bound reaches the k-th largest
// score minus bound. Those rows, some tens for k = 10, are scored again from `copies` in double
// precision, the most promising first, until the next one's bound is below the k-th exact score:
// that is the rescoring depth, and it needs no setting. The result is the one that floats give for
// every row, on every machine, whatever its kernels.
//
// What is exact depends on the copies: with floats, the floats' scores; with halves, those of the
// 16-bit values; without copies, those of the dequantised codes (the float query is used in each
// case).
//
// Cost: rows × padded dimensions bytes read, at the speed of memory; sixty-four rows whose filter
// word is zero cost nothing. Rows that are all alike make the second step long: it never looks at
// more than all rows. Memory: nothing is owned but some kilobytes a query. Threads: any number may
// search one view. Errors: none; spans of the wrong size, and values that are not finite, are the
// caller's bugs.
namespace ragline {

enum class FlatCopies { kNone, kHalf, kFloat };

// Rows as they lie in memory or in a mapped file; the alignment of each array's type is asked for,
// no more.
struct FlatRows {
  std::size_t dimensions = 0;             // at most kMaxDimensions
  std::span<const std::int8_t> codes;     // padded_dimensions(dimensions) bytes a row
  std::span<const RowScale> scales;       // one a row
  std::span<const std::uint16_t> halves;  // dimensions values a row, or empty
  std::span<const float> floats;          // dimensions values a row, or empty; wins over halves
  std::size_t size() const { return scales.size(); }
};

struct Neighbour {
  std::uint32_t row = 0;
  float score = 0;
  bool operator==(const Neighbour&) const = default;
};

struct FlatOptions {
  std::size_t k = 10;
  // Rows that count, as Bitmap::words(): one bit a row, (size + 63) / 64 words. Empty: all rows.
  std::span<const std::uint64_t> filter = {};
};

// At most k, best first, equal scores by lower row. `query`: `dimensions` finite floats.
std::vector<Neighbour> search_flat(const FlatRows& rows, std::span<const float> query,
                                   const FlatOptions& options);

// Many queries, one after the other in `queries`, in one pass over the rows: each row is read once
// for all of them. The same results as search_flat of each.
std::vector<std::vector<Neighbour>> search_flat_batch(const FlatRows& rows,
                                                      std::span<const float> queries,
                                                      const FlatOptions& options);

// The exact scores of some rows, in their order, as search_flat gives them.
std::vector<float> score_rows(const FlatRows& rows, std::span<const float> query,
                              std::span<const std::uint32_t> which);

// Collects rows. The arrays are what a file keeps, byte for byte.
class FlatBuilder {
 public:
  FlatBuilder(std::size_t dimensions, FlatCopies copies)
      : dimensions_(dimensions), copies_(copies) {}
  // `row`: `dimensions` finite floats (with kHalf, below 65504).
  void append(std::span<const float> row);
  std::size_t size() const { return scales_.size(); }
  const std::vector<std::int8_t>& codes() const { return codes_; }
  const std::vector<RowScale>& scales() const { return scales_; }
  const std::vector<std::uint16_t>& halves() const { return halves_; }
  const std::vector<float>& floats() const { return floats_; }
  // Valid until the next append.
  FlatRows view() const { return {dimensions_, codes_, scales_, halves_, floats_}; }

 private:
  std::size_t dimensions_;
  FlatCopies copies_;
  std::vector<std::int8_t> codes_;
  std::vector<RowScale> scales_;
  std::vector<std::uint16_t> halves_;
  std::vector<float> floats_;
};

}  // namespace ragline
