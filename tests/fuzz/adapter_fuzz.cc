// Adapter files: whatever is read is written back byte for byte, and can be used.
#include <cmath>

#include "fuzz.h"
#include "record/vector_field.h"
#include "select/adapter.h"

using ragline::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = ragline::fuzz::text(data, size);
  if (const auto adapter = ragline::unpack_adapter(input)) {
    require(ragline::pack_adapter(*adapter) == input);
    const std::vector<float> row(adapter->shape.dimensions, 1.0f);
    const std::vector<double> features(ragline::kFeatures);
    require(ragline::adapt(*adapter, row, features, row).vectors.size() == row.size());
  }
  if (const auto field = ragline::read_vector(input))
    for (const float value : field->values) require(std::isfinite(value));
  return 0;
}
