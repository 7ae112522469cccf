#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

// The boundary to the module that runs transformers: what is asked of it, without a word of
// OpenVINO. The module is a library of its own (modules/openvino), loaded when the first
// transformer is opened, so that no tool pays for it otherwise.
namespace ragline {

// An encoder of the BERT family (BERT, XLM-R), by its configuration and its tensors in float32.
struct EncoderModel {
  std::size_t layers = 0, heads = 0, width = 0;
  float epsilon = 1e-12f;          // of layer normalisation
  std::size_t first_position = 0;  // 2 for XLM-R
  std::string cache_folder;        // where compiled models are kept; empty: nowhere
  // The values of a tensor ("encoder.layer.0.output.dense.weight"), which outlive the encoder, and
  // its shape; empty where there is none.
  struct Values {
    std::span<const float> values;
    std::vector<std::size_t> shape;
  };
  std::function<Values(std::string_view name)> tensor;
};

class Encoder {
 public:
  virtual ~Encoder() = default;
  // Last states: texts × length × width, for ids (texts × length) whose mask is 1, and 0 behind the
  // end of a text. Any number of threads.
  virtual Result<std::vector<float>> states(std::span<const std::int64_t> ids,
                                            std::span<const float> mask, std::size_t texts,
                                            std::size_t length) const = 0;
};

// The module's one function, by the name kMakeEncoder; it fills `out`. Errors: kData for tensors
// that are missing or do not fit.
using MakeEncoder = void(const EncoderModel& model, std::size_t threads,
                         Result<std::unique_ptr<const Encoder>>& out);
inline constexpr const char* kMakeEncoder = "ragline_make_encoder";

}  // namespace ragline
