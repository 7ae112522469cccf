#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Rows of small integers. A row x of floats is kept as codes c, one signed byte a value, and a
// scale s:
//
//   x = s·c + e      s = max|x| / 127, c = round(x / s), |e_i| <= s/2
//
// and with the length of e, from which the search knows how wrong a score of codes can be (flat.h).
// A query is kept in 16-bit integers, so that a product of query and row is one exact integer on
// every machine.
namespace ragline {

// Codes of a row fill a whole number of these bytes, padded with zeros, so that kernels have no
// ends to mind.
inline constexpr std::size_t kRowAlign = 64;
// Beyond this, 127 · sum |query| might not leave the query enough bits.
inline constexpr std::size_t kMaxDimensions = 16384;

inline std::size_t padded_dimensions(std::size_t dimensions) {
  return (dimensions + kRowAlign - 1) / kRowAlign * kRowAlign;
}

// What a row has besides its codes. Eight bytes, as they lie in a file.
struct RowScale {
  float scale = 0;     // s; zero for a row of zeros
  float residual = 0;  // the length of e, rounded up
};

// row: finite floats. codes: padded_dimensions(row.size()) bytes to fill.
RowScale quantise(std::span<const float> row, std::span<std::int8_t> codes);
// The reverse but for e: row.size() values.
void dequantise(std::span<const std::int8_t> codes, float scale, std::span<float> row);

// A query as the kernels take it: value_i = scale·codes_i + e_i.
struct QuantisedQuery {
  std::vector<std::int16_t> codes;  // padded like a row
  float scale = 0;
  float length = 0;    // of the float query, rounded up
  float residual = 0;  // the length of e, rounded up
};
// query: finite floats. 127 · sum |codes| < 2^31, so no sum over a row's codes overflows.
QuantisedQuery quantise_query(std::span<const float> query);

}  // namespace ragline
