#include "embed/transformer.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <thread>

#include "core/bytes.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/text.h"
#include "embed/encoder.h"
#include "embed/model_folder.h"
#include "embed/safetensors.h"
#include "embed/tokenizer.h"
#include "record/object.h"

namespace ragline {

namespace {

// Tokens of one call of the encoder, padding included.
constexpr std::size_t kBatchTokens = 1024;
// Of one text, bytes looked at for each token that counts.
constexpr std::size_t kBytesPerToken = 64;

// A JSON file's members and the bytes that they point into; no members where there is no such file.
struct Config {
  std::shared_ptr<const MappedFile> file;
  std::optional<JsonMembers> members;

  static Result<Config> read(const std::string& path) {
    Config out;
    if (!stat_file(path).exists) return out;
    RAGLINE_TRY(out.file, read_file(path));
    auto members = JsonMembers::parse(out.file->bytes());
    if (!members) return fail(members.error().kind, cat(path, ": ", members.error().message));
    out.members.emplace(std::move(*members));
    return out;
  }
  std::uint64_t count(std::string_view key, std::uint64_t fallback) const {
    std::optional<std::uint64_t> value;
    if (!members || !members->count(key, value)) return fallback;
    return value.value_or(fallback);
  }
  std::string text(std::string_view key) const {
    std::string value;
    if (members) (void)members->text({key}, value);
    return value;
  }
  bool flag(std::string_view key) const {
    std::optional<bool> value;
    return members && members->flag(key, value) && value.value_or(false);
  }
};

std::string cache_folder() {
  std::string folder;
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (folder = variable("RAGLINE_CACHE"); folder.empty()) {
    if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty())
      folder = join_path(cache, "ragline");
    else if (const std::string home = variable("HOME"); !home.empty())
      folder = join_path(home, ".cache/ragline");
  }
  // Without one the model is compiled anew each time, no more.
  return !folder.empty() && make_directories(folder) ? folder : std::string();
}

Result<MakeEncoder*> load_module() {
  const std::string path =
      normal_path(join_path(program_folder(), "../lib/ragline/libragline-openvino.so"));
  // Never closed: threads of OpenVINO may outlive every embedder.
  void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module)
    return fail(ErrorKind::kNotFound,
                cat("transformers need the module ", path, ", which cannot be loaded (",
                    std::string_view(dlerror()),
                    "): run scripts/setup and build again, or use a static model"));
  void* const found = dlsym(module, kMakeEncoder);
  if (!found)
    return fail(ErrorKind::kNotFound,
                cat(path, ": it is not this program's module: build both again"));
  return reinterpret_cast<MakeEncoder*>(found);
}

class Transformer final : public Embedder {
 public:
  static Result<std::unique_ptr<const Embedder>> open(const std::string& folder) {
    const std::string weights = join_path(folder, "model.safetensors"),
                      tokens = join_path(folder, "tokenizer.json");
    RAGLINE_TRY(auto file, map_file(weights));
    RAGLINE_TRY(const auto tokenizer_file, read_file(tokens));
    auto tokenizer = Tokenizer::parse(tokenizer_file->bytes());
    if (!tokenizer)
      return fail(tokenizer.error().kind, cat(tokens, ": ", tokenizer.error().message));
    std::unique_ptr<Transformer> model(new Transformer(std::move(*tokenizer)));
    model->file_ = std::move(file);
    model->name_ = folder.substr(folder.find_last_of('/') + 1);
    RAGLINE_CHECK(model->configure(folder));
    if (auto status = model->make_encoder(); !status)
      return fail(status.error().kind, status.error().kind == ErrorKind::kData
                                           ? cat(weights, ": ", status.error().message)
                                           : status.error().message);
    Hasher hash;
    hash.add(model->file_->bytes());
    hash.add(tokenizer_file->bytes());
    model->fingerprint_ = cat("transformer:", hex(hash.value(), 16), ":", model->shape_.width, ":",
                              model->first_token_ ? "cls" : "mean", ":", model->most_, ":",
                              hex(hash64(cat(model->prefixes_[0], '\0', model->prefixes_[1])), 8));
    return model;
  }

  std::size_t dimensions() const override { return shape_.width; }
  std::string fingerprint() const override { return fingerprint_; }
  std::string description() const override {
    return cat(name_, ": transformer, ", shape_.width, " dimensions");
  }
  std::size_t batch() const override { return 64; }

  Result<std::vector<float>> embed(std::span<const std::string_view> texts,
                                   TextRole role) const override {
    std::vector<std::vector<std::uint32_t>> ids(texts.size());
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (trim(texts[i]).empty()) continue;
      ids[i] = encode(texts[i], role);
      order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return ids[a].size() < ids[b].size(); });
    std::vector<float> out(texts.size() * shape_.width);
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      while (end < order.size() &&
             (end == begin || (end + 1 - begin) * ids[order[end]].size() <= kBatchTokens))
        ++end;
      RAGLINE_CHECK(embed_batch(std::span(order).subspan(begin, end - begin), ids, out));
    }
    return out;
  }

 private:
  explicit Transformer(Tokenizer tokenizer) : tokenizer_(std::move(tokenizer)) {}

  Status configure(const std::string& folder) {
    RAGLINE_TRY(const Config config, Config::read(join_path(folder, "config.json")));
    shape_.layers = config.count("num_hidden_layers", 0);
    shape_.heads = config.count("num_attention_heads", 0);
    shape_.width = config.count("hidden_size", 0);
    shape_.first_position =
        config.text("model_type") == "xlm-roberta" ? config.count("pad_token_id", 1) + 1 : 0;
    shape_.cache_folder = cache_folder();
    std::optional<double> epsilon;
    if (config.members) RAGLINE_CHECK(config.members->number("layer_norm_eps", epsilon));
    shape_.epsilon = static_cast<float>(epsilon.value_or(1e-12));
    const std::uint64_t positions = config.count("max_position_embeddings", 512);
    if (shape_.layers == 0 || shape_.layers > 1000 || shape_.heads == 0 || shape_.width == 0 ||
        shape_.width > 16384 || shape_.width % shape_.heads != 0 ||
        positions <= shape_.first_position)
      return fail(ErrorKind::kData,
                  cat(folder, "/config.json: its layers, heads and sizes do not make an encoder"));
    RAGLINE_TRY(const Config sentence,
                Config::read(join_path(folder, "sentence_bert_config.json")));
    most_ = std::min(sentence.count("max_seq_length", 512), positions - shape_.first_position);
    const std::size_t special = tokenizer_.before().size() + tokenizer_.after().size();
    if (most_ <= special)
      return fail(
          ErrorKind::kData,
          cat(folder, "/sentence_bert_config.json: max_seq_length leaves no room for text"));
    RAGLINE_TRY(const Config pooling, Config::read(join_path(folder, "1_Pooling/config.json")));
    first_token_ = pooling.flag("pooling_mode_cls_token");
    if (pooling.members && !first_token_ && !pooling.flag("pooling_mode_mean_tokens"))
      return fail(ErrorKind::kData, cat(folder,
                                        "/1_Pooling/config.json: only the pooling of the mean and "
                                        "of the first token is known here"));
    RAGLINE_TRY(const Config prompts,
                Config::read(join_path(folder, "config_sentence_transformers.json")));
    return read_prompts(prompts);
  }

  Status read_prompts(const Config& config) {
    const Field* field = config.members ? config.members->find("prompts") : nullptr;
    if (!field) return {};
    RAGLINE_TRY(const JsonMembers prompts, JsonMembers::parse(field->raw));
    RAGLINE_CHECK(prompts.text({"query"}, prefixes_[0]));
    return prompts.text({"passage", "document"}, prefixes_[1]);
  }

  Status make_encoder() {
    RAGLINE_TRY(tensors_, Safetensors::parse(file_->bytes()));
    RAGLINE_TRY(MakeEncoder* const make, load_module());
    EncoderModel model = shape_;
    model.tensor = [this](std::string_view name) -> EncoderModel::Values {
      const Tensor* found = tensors_.find(name);
      for (const char* prefix : {"bert.", "roberta."})
        if (!found) found = tensors_.find(cat(std::string_view(prefix), name));
      if (!found || found->dtype != "F32" || !is_of_shape(name, found->shape)) return {};
      return {floats_of(*found), {found->shape.begin(), found->shape.end()}};
    };
    Result<std::unique_ptr<const Encoder>> made;
    make(model, std::max(1u, std::thread::hardware_concurrency()), made);
    if (!made) return std::unexpected(made.error());
    encoder_ = std::move(*made);
    return {};
  }

  // The tables that ids index have a row for each: what the graph reads is then inside them.
  bool is_of_shape(std::string_view name, const std::vector<std::uint64_t>& shape) const {
    if (name == "embeddings.word_embeddings.weight")
      return shape.size() == 2 && shape[0] >= tokenizer_.size();
    if (name == "embeddings.position_embeddings.weight")
      return shape.size() == 2 && shape[0] >= most_ + shape_.first_position;
    return true;
  }

  // As they lie in the file, or a copy where they lie at an odd place.
  std::span<const float> floats_of(const Tensor& tensor) {
    const char* bytes = tensor.bytes.data();
    const std::size_t count = tensor.bytes.size() / sizeof(float);
    if (reinterpret_cast<std::uintptr_t>(bytes) % alignof(float) == 0)
      return {reinterpret_cast<const float*>(bytes), count};
    std::vector<float>& copy = copies_.emplace_back(count);
    for (std::size_t i = 0; i < count; ++i) copy[i] = get_fixed<float>(bytes + i * sizeof(float));
    return copy;
  }

  std::vector<std::uint32_t> encode(std::string_view text, TextRole role) const {
    const std::string all =
        cat(prefixes_[role == TextRole::kQuery ? 0 : 1], text.substr(0, most_ * kBytesPerToken));
    std::vector<std::uint32_t> ids = tokenizer_.before();
    tokenizer_.encode(all, ids);
    ids.resize(std::min<std::size_t>(ids.size(), most_ - tokenizer_.after().size()));
    ids.insert(ids.end(), tokenizer_.after().begin(), tokenizer_.after().end());
    return ids;
  }

  // The longest text comes last.
  Status embed_batch(std::span<const std::size_t> which,
                     const std::vector<std::vector<std::uint32_t>>& ids,
                     std::vector<float>& out) const {
    const std::size_t length = ids[which.back()].size(), width = shape_.width;
    std::vector<std::int64_t> input(which.size() * length);
    std::vector<float> mask(which.size() * length);
    for (std::size_t t = 0; t < which.size(); ++t) {
      std::copy(ids[which[t]].begin(), ids[which[t]].end(),
                input.begin() + static_cast<std::ptrdiff_t>(t * length));
      std::fill_n(mask.begin() + static_cast<std::ptrdiff_t>(t * length), ids[which[t]].size(),
                  1.f);
    }
    RAGLINE_TRY(const std::vector<float> states,
                encoder_->states(input, mask, which.size(), length));
    if (states.size() != input.size() * width)
      return fail(ErrorKind::kData, cat(name_, ": the encoder gave states of another size"));
    for (std::size_t t = 0; t < which.size(); ++t) {
      const std::span<float> row = std::span(out).subspan(which[t] * width, width);
      const std::size_t tokens = first_token_ ? 1 : ids[which[t]].size();
      for (std::size_t i = 0; i < tokens; ++i)
        for (std::size_t d = 0; d < width; ++d) row[d] += states[(t * length + i) * width + d];
      if (!normalise_row(row))
        return fail(ErrorKind::kData, cat(name_, ": the model gives values that are not finite"));
    }
    return {};
  }

  Tokenizer tokenizer_;
  std::shared_ptr<const MappedFile> file_;
  Safetensors tensors_;
  std::vector<std::vector<float>> copies_;
  EncoderModel shape_;
  std::unique_ptr<const Encoder> encoder_;  // before what it reads goes
  std::string prefixes_[2];                 // of queries, of passages
  std::uint64_t most_ = 0;                  // tokens of a text, special ones included
  bool first_token_ = false;
  std::string name_, fingerprint_;
};

}  // namespace

bool is_transformer(const std::string& folder) {
  const auto config = Config::read(join_path(folder, "config.json"));
  const std::string type = config ? config->text("model_type") : "";
  return (type == "bert" || type == "xlm-roberta") &&
         stat_file(join_path(folder, "model.safetensors")).is_regular &&
         stat_file(join_path(folder, "tokenizer.json")).is_regular;
}

Result<std::unique_ptr<const Embedder>> open_transformer(const std::string& folder) {
  return Transformer::open(folder);
}

}  // namespace ragline
