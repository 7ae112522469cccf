// A tensor lies within its file, and its values are as many as its shape says.
#include "embed/safetensors.h"
#include "fuzz.h"

using ragline::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = ragline::fuzz::text(data, size);
  const auto tensors = ragline::Safetensors::parse(input);
  if (!tensors) {
    require(!tensors.error().message.empty());
    return 0;
  }
  for (const auto& [name, tensor] : tensors->tensors()) {
    require(tensor.bytes.empty() ||
            (tensor.bytes.data() >= input.data() &&
             tensor.bytes.data() + tensor.bytes.size() <= input.data() + input.size()));
    if (const auto values = float_values(tensor)) require(values->size() == tensor.count());
  }
  return 0;
}
