#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace ragline {

// A matrix as NumPy keeps it (.npy, versions 1 to 3): little-endian float32, float16 or float64, in
// C order.
struct NpyMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<float> values;  // row by row, all finite
};

// kData says what is wrong, without the place.
Result<NpyMatrix> parse_npy(std::string_view bytes);
// float32, version 1. values: whole rows of `columns`.
std::string npy_bytes(std::span<const float> values, std::size_t columns);

}  // namespace ragline
