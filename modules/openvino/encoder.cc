// An encoder of the BERT family as a graph of OpenVINO's operators, compiled for this processor.
//
// Layer by layer: attention over the text's tokens, then two dense maps with a GELU between, each
// added to what came in and normalised. Only words whose mask is 1 are attended to: the others get
// -1e9 before the softmax. Weights are used where they lie in the mapped file.
#include "embed/encoder.h"

#include <cmath>
#include <condition_variable>
#include <mutex>
#include <openvino/op/ops.hpp>
#include <openvino/openvino.hpp>

#include "core/text.h"

namespace ragline {

namespace {

using Node = ov::Output<ov::Node>;
namespace op = ov::op;

Node integers(std::vector<std::int64_t> values) {
  const ov::Shape shape{values.size()};
  return op::v0::Constant::create(ov::element::i64, shape, values);
}
Node integer(std::int64_t value) {
  return op::v0::Constant::create(ov::element::i64, ov::Shape{}, {value});
}
Node number(float value) {
  return op::v0::Constant::create(ov::element::f32, ov::Shape{}, {value});
}

struct Missing {
  std::string what;
};

class Graph {
 public:
  explicit Graph(const EncoderModel& model) : model_(model) {}

  std::shared_ptr<ov::Model> build() {
    const auto ids =
        std::make_shared<op::v0::Parameter>(ov::element::i64, ov::PartialShape{-1, -1});
    const auto mask =
        std::make_shared<op::v0::Parameter>(ov::element::f32, ov::PartialShape{-1, -1});
    const Node length = std::make_shared<op::v8::Gather>(std::make_shared<op::v3::ShapeOf>(ids),
                                                         integers({1}), integer(0));
    const auto first = static_cast<std::int64_t>(model_.first_position);
    const Node positions = std::make_shared<op::v8::Slice>(
        tensor("embeddings.position_embeddings.weight"), integers({first}),
        std::make_shared<op::v1::Add>(length, integer(first)), integers({1}), integers({0}));
    const Node words = std::make_shared<op::v8::Gather>(tensor("embeddings.word_embeddings.weight"),
                                                        ids, integer(0));
    const Node types = std::make_shared<op::v8::Gather>(
        tensor("embeddings.token_type_embeddings.weight"), integer(0), integer(0));
    Node x = normalise(add(add(words, positions), types), "embeddings.LayerNorm");
    const Node hidden = std::make_shared<op::v0::Unsqueeze>(
        std::make_shared<op::v1::Multiply>(std::make_shared<op::v1::Subtract>(mask, number(1)),
                                           number(1e9f)),
        integers({1, 2}));
    for (std::size_t i = 0; i < model_.layers; ++i)
      x = layer(x, hidden, cat("encoder.layer.", i, "."));
    return std::make_shared<ov::Model>(ov::OutputVector{x}, ov::ParameterVector{ids, mask});
  }

 private:
  Node tensor(const std::string& name) const {
    const EncoderModel::Values found = model_.tensor(name);
    if (found.values.empty()) throw Missing{name};
    const ov::Tensor values(ov::element::f32, ov::Shape(found.shape),
                            const_cast<float*>(found.values.data()));
    return std::make_shared<op::v0::Constant>(values);
  }
  static Node add(const Node& a, const Node& b) { return std::make_shared<op::v1::Add>(a, b); }

  Node normalise(const Node& x, const std::string& name) const {
    const Node even = std::make_shared<op::v6::MVN>(x, integers({-1}), true, model_.epsilon,
                                                    op::MVNEpsMode::INSIDE_SQRT);
    return add(std::make_shared<op::v1::Multiply>(even, tensor(name + ".weight")),
               tensor(name + ".bias"));
  }
  Node linear(const Node& x, const std::string& name) const {
    return add(std::make_shared<op::v0::MatMul>(x, tensor(name + ".weight"), false, true),
               tensor(name + ".bias"));
  }
  Node reshape(const Node& x, std::vector<std::int64_t> shape) const {
    return std::make_shared<op::v1::Reshape>(x, integers(std::move(shape)), true);
  }
  // texts × tokens × width to texts × heads × tokens × part, and back.
  Node to_heads(const Node& x) const {
    const auto heads = static_cast<std::int64_t>(model_.heads),
               part = static_cast<std::int64_t>(model_.width / model_.heads);
    return std::make_shared<op::v1::Transpose>(reshape(x, {0, 0, heads, part}),
                                               integers({0, 2, 1, 3}));
  }
  Node from_heads(const Node& x) const {
    return reshape(std::make_shared<op::v1::Transpose>(x, integers({0, 2, 1, 3})),
                   {0, 0, static_cast<std::int64_t>(model_.width)});
  }

  Node layer(const Node& x, const Node& hidden, const std::string& name) const {
    const Node query = to_heads(linear(x, name + "attention.self.query"));
    const Node key = to_heads(linear(x, name + "attention.self.key"));
    const Node value = to_heads(linear(x, name + "attention.self.value"));
    const float scale = 1 / std::sqrt(static_cast<float>(model_.width / model_.heads));
    const Node scores = std::make_shared<op::v1::Multiply>(
        std::make_shared<op::v0::MatMul>(query, key, false, true), number(scale));
    const Node shares = std::make_shared<op::v8::Softmax>(add(scores, hidden), -1);
    const Node mixed = from_heads(std::make_shared<op::v0::MatMul>(shares, value));
    const Node attended = normalise(add(linear(mixed, name + "attention.output.dense"), x),
                                    name + "attention.output.LayerNorm");
    const Node wide = std::make_shared<op::v7::Gelu>(linear(attended, name + "intermediate.dense"),
                                                     op::GeluApproximationMode::ERF);
    return normalise(add(linear(wide, name + "output.dense"), attended), name + "output.LayerNorm");
  }

  const EncoderModel& model_;
};

// Requests that wait to be used: one for each thread that may run at once.
class OpenVinoEncoder final : public Encoder {
 public:
  OpenVinoEncoder(ov::CompiledModel model, std::size_t requests) : model_(std::move(model)) {
    for (std::size_t i = 0; i < requests; ++i) free_.push_back(model_.create_infer_request());
  }

  Result<std::vector<float>> states(std::span<const std::int64_t> ids, std::span<const float> mask,
                                    std::size_t texts, std::size_t length) const override {
    ov::InferRequest request = take();
    Result<std::vector<float>> out = std::vector<float>();
    try {
      const ov::Shape shape{texts, length};
      request.set_input_tensor(
          0, ov::Tensor(ov::element::i64, shape, const_cast<std::int64_t*>(ids.data())));
      request.set_input_tensor(
          1, ov::Tensor(ov::element::f32, shape, const_cast<float*>(mask.data())));
      request.infer();
      const ov::Tensor found = request.get_output_tensor();
      out->assign(found.data<const float>(), found.data<const float>() + found.get_size());
    } catch (const std::exception& error) {
      out = fail(ErrorKind::kData, cat("OpenVINO: ", std::string_view(error.what())));
    }
    give_back(std::move(request));
    return out;
  }

 private:
  ov::InferRequest take() const {
    std::unique_lock lock(mutex_);
    wait_.wait(lock, [&] { return !free_.empty(); });
    ov::InferRequest request = std::move(free_.back());
    free_.pop_back();
    return request;
  }
  void give_back(ov::InferRequest request) const {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(std::move(request));
    }
    wait_.notify_one();
  }

  mutable ov::CompiledModel model_;
  mutable std::mutex mutex_;
  mutable std::condition_variable wait_;
  mutable std::vector<ov::InferRequest> free_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) void ragline_make_encoder(
    const EncoderModel& model, std::size_t threads, Result<std::unique_ptr<const Encoder>>& out) {
  try {
    // The core is never destroyed: it would wait for threads of its own while the program ends.
    static ov::Core& core = *new ov::Core();
    ov::AnyMap options{{ov::inference_num_threads.name(), static_cast<int>(threads)},
                       {ov::num_streams.name(), ov::streams::Num(static_cast<int>(threads))},
                       {ov::hint::inference_precision.name(), ov::element::f32}};
    if (!model.cache_folder.empty()) options.insert(ov::cache_dir(model.cache_folder));
    out = std::make_unique<OpenVinoEncoder>(
        core.compile_model(Graph(model).build(), "CPU", options), threads);
  } catch (const Missing& missing) {
    out = fail(ErrorKind::kData, cat("there is no tensor '", missing.what,
                                     "': this is no encoder of the BERT family"));
  } catch (const std::exception& error) {
    out = fail(ErrorKind::kData, cat("OpenVINO: ", std::string_view(error.what())));
  }
}

}  // namespace ragline
