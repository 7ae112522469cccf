#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace ragline {

// A model file of tensors, not copied: `file` must outlive the object.
//
//   uint64   size of the header
//   bytes    the header, JSON: {"name": {"dtype": "F32", "shape": [30522, 256], "data_offsets": [0,
//   31254528]}, ...} bytes    the tensors, little-endian, row by row, at their offsets
//
// Every size and offset is checked, so a short or hostile file is an error and never a read past
// its end.
struct Tensor {
  std::string dtype;  // F64, F32, F16, BF16, I8, U8, I32, I64, ...
  std::vector<std::uint64_t> shape;
  std::string_view bytes;
  std::uint64_t count() const;  // of values
};

class Safetensors {
 public:
  // kData says what is wrong, without the place.
  static Result<Safetensors> parse(std::string_view file);
  const Tensor* find(std::string_view name) const;
  const std::map<std::string, Tensor, std::less<>>& tensors() const { return tensors_; }

 private:
  std::map<std::string, Tensor, std::less<>> tensors_;
};

// The values of a tensor of any of the types above as floats. kData for another type.
Result<std::vector<float>> float_values(const Tensor& tensor);

}  // namespace ragline
