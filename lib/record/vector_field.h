#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace ragline {

// The `vector` of a record: a list of numbers, base64 of little-endian float32, or an object that
// has either as `data` beside the `model` that made it.
struct VectorField {
  std::vector<float> values;
  std::string model;  // fingerprint of the embedder; empty where the record does not say
};

// kData, without the place, for anything else, for no values at all, for one that is not finite in
// float, and for a vector of zeros, which has no direction.
Result<VectorField> read_vector(std::string_view json);

// The third form, which rag-embed writes: {"model":"...","data":"..."}.
std::string vector_json(std::span<const float> values, std::string_view model);

}  // namespace ragline
