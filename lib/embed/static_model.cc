#include "embed/static_model.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/bytes.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/text.h"
#include "core/utf8.h"
#include "embed/safetensors.h"
#include "embed/tokenizer.h"
#include "record/object.h"
#include "vector/half.h"

namespace ragline {

namespace {

constexpr std::uint64_t kMaxLength = 512;
// Of one text, what is looked at for each token that counts: tokens are shorter, and a text of
// megabytes costs no more than its beginning.
constexpr std::size_t kBytesPerToken = 64;

enum class Cell { kFloat, kHalf, kByte };

struct Files {
  std::string weights, tokenizer, config;
};

Files files_of(const std::string& folder) {
  const std::string nested = join_path(folder, "0_StaticEmbedding");
  const std::string base =
      stat_file(join_path(nested, "model.safetensors")).is_regular ? nested : folder;
  return {join_path(base, "model.safetensors"), join_path(base, "tokenizer.json"),
          join_path(folder, "config.json")};
}

const Tensor* find_table(const Safetensors& tensors) {
  for (const char* name : {"embeddings", "embedding.weight", "0"})
    if (const Tensor* found = tensors.find(name)) return found;
  return nullptr;
}

class StaticModel final : public Embedder {
 public:
  static Result<std::unique_ptr<const Embedder>> open(const std::string& folder) {
    const Files files = files_of(folder);
    RAGLINE_TRY(auto file, map_file(files.weights));
    RAGLINE_TRY(auto tokenizer_file, read_file(files.tokenizer));
    auto tokenizer = Tokenizer::parse(tokenizer_file->bytes());
    if (!tokenizer)
      return fail(tokenizer.error().kind, cat(files.tokenizer, ": ", tokenizer.error().message));
    std::unique_ptr<StaticModel> model(new StaticModel(std::move(*tokenizer)));
    model->file_ = std::move(file);
    auto status = model->read_tensors();
    if (!status) return fail(status.error().kind, cat(files.weights, ": ", status.error().message));
    status = model->read_config(files.config);
    if (!status) return fail(status.error().kind, cat(files.config, ": ", status.error().message));
    model->name_ = folder.substr(folder.find_last_of('/') + 1);
    Hasher hash;
    hash.add(model->file_->bytes());
    hash.add(tokenizer_file->bytes());
    model->fingerprint_ = cat("static:", hex(hash.value(), 16), ":", model->dimensions_,
                              ":mean:", model->max_length_ ? cat(*model->max_length_) : "all");
    return model;
  }

  std::size_t dimensions() const override { return dimensions_; }
  std::string fingerprint() const override { return fingerprint_; }
  std::string description() const override {
    return cat(name_, ": static, ", dimensions_, " dimensions");
  }
  std::size_t batch() const override { return 64; }

  Result<std::vector<float>> embed(std::span<const std::string_view> texts,
                                   TextRole) const override {
    std::vector<float> out(texts.size() * dimensions_);
    std::vector<std::uint32_t> ids;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::span<float> row = std::span(out).subspan(i * dimensions_, dimensions_);
      encode(texts[i], ids);
      for (const std::uint32_t id : ids) add_row(id, row);
      if (!normalise_row(row))
        return fail(ErrorKind::kData, cat(name_, ": the model holds values that are not finite"));
    }
    return out;
  }

 private:
  explicit StaticModel(Tokenizer tokenizer) : tokenizer_(std::move(tokenizer)) {}

  void encode(std::string_view text, std::vector<std::uint32_t>& ids) const {
    ids.clear();
    if (max_length_ && text.size() > *max_length_ * kBytesPerToken)
      text = text.substr(0, utf8_floor(text, *max_length_ * kBytesPerToken));
    tokenizer_.encode(text, ids);
    // As Model2Vec does it: the cut is made first, and unknown tokens count in it.
    if (max_length_ && ids.size() > *max_length_) ids.resize(*max_length_);
    if (tokenizer_.unknown()) std::erase(ids, *tokenizer_.unknown());
  }

  // row += the token's vector, which may be scaled: only its direction and the proportions between
  // tokens matter.
  void add_row(std::uint32_t id, std::span<float> row) const {
    std::size_t at = id;
    if (!mapping_.empty()) at = id < mapping_.size() ? mapping_[id] : rows_;
    if (at >= rows_) return;
    float factor = id < weights_.size() ? weights_[id] : 1;
    if (!scales_.empty()) factor *= scales_[at];
    const char* bytes = table_.data() + at * dimensions_ * cell_size();
    switch (cell_) {
      case Cell::kFloat:
        return add<float>(bytes, factor, row, [](float value) { return value; });
      case Cell::kHalf:
        return add<std::uint16_t>(bytes, factor, row, from_half);
      case Cell::kByte:
        return add<std::int8_t>(bytes, factor, row,
                                [](std::int8_t value) { return static_cast<float>(value); });
    }
  }

  template <class T, class Convert>
  static void add(const char* bytes, float factor, std::span<float> row, Convert convert) {
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] += factor * convert(get_fixed<T>(bytes + i * sizeof(T)));
  }

  std::size_t cell_size() const { return cell_ == Cell::kFloat ? 4 : cell_ == Cell::kHalf ? 2 : 1; }

  Status read_tensors() {
    RAGLINE_TRY(const Safetensors tensors, Safetensors::parse(file_->bytes()));
    const Tensor* table = find_table(tensors);
    if (!table || table->shape.size() != 2)
      return fail(ErrorKind::kData,
                  "there is no table `embeddings`, `embedding.weight` or `0` of tokens and "
                  "dimensions: this "
                  "is no static model");
    rows_ = table->shape[0];
    dimensions_ = table->shape[1];
    if (dimensions_ == 0 || dimensions_ > 16384 || rows_ == 0)
      return fail(ErrorKind::kData,
                  cat("a table of ", rows_, " × ", dimensions_, " is no model's"));
    if (table->dtype == "F32")
      cell_ = Cell::kFloat;
    else if (table->dtype == "F16")
      cell_ = Cell::kHalf;
    else if (table->dtype == "I8")
      cell_ = Cell::kByte;
    else
      return fail(ErrorKind::kData,
                  cat("a table of ", table->dtype, " is not known here: F32, F16 and I8 are"));
    table_ = table->bytes;
    RAGLINE_TRY(scales_, read_factors(tensors, "scales", rows_));
    RAGLINE_TRY(weights_, read_factors(tensors, "weights", tokenizer_.size()));
    if (const Tensor* mapping = tensors.find("mapping")) {
      if (mapping->dtype != "I32" && mapping->dtype != "I64")
        return fail(ErrorKind::kData, "`mapping` is not of integers");
      const std::size_t width = mapping->dtype == "I32" ? 4 : 8;
      for (std::size_t i = 0; i * width < mapping->bytes.size(); ++i) {
        const char* at = mapping->bytes.data() + i * width;
        const std::int64_t row =
            width == 4 ? get_fixed<std::int32_t>(at) : get_fixed<std::int64_t>(at);
        if (row < 0 || row >= static_cast<std::int64_t>(rows_))
          return fail(ErrorKind::kData, "`mapping` names a row that is not there");
        mapping_.push_back(static_cast<std::uint32_t>(row));
      }
    }
    if (mapping_.empty() && tokenizer_.size() > rows_)
      return fail(ErrorKind::kData, cat("the table has ", rows_, " rows and the tokenizer ",
                                        tokenizer_.size(), " tokens: take both from one model"));
    return {};
  }

  // Nothing where there is no such tensor.
  static Result<std::vector<float>> read_factors(const Safetensors& tensors, std::string_view name,
                                                 std::size_t least) {
    const Tensor* tensor = tensors.find(name);
    if (!tensor) return std::vector<float>();
    RAGLINE_TRY(auto values, float_values(*tensor));
    if (values.size() < least)
      return fail(ErrorKind::kData,
                  cat("`", name, "` has ", values.size(), " values where ", least, " are needed"));
    return values;
  }

  Status read_config(const std::string& path) {
    max_length_ = kMaxLength;
    if (!stat_file(path).exists) return {};
    RAGLINE_TRY(const auto file, read_file(path));
    RAGLINE_TRY(const JsonMembers config, JsonMembers::parse(file->bytes()));
    for (const Field& field : config.fields())
      if (field.key == "max_length" && field.raw == "null") max_length_.reset();
    std::optional<std::uint64_t> length;
    RAGLINE_CHECK(config.count("max_length", length));
    if (length) max_length_ = *length;
    return {};
  }

  Tokenizer tokenizer_;
  std::shared_ptr<const MappedFile> file_;
  std::string_view table_;
  Cell cell_ = Cell::kFloat;
  std::size_t rows_ = 0, dimensions_ = 0;
  std::vector<float> scales_, weights_;
  std::vector<std::uint32_t> mapping_;
  std::optional<std::uint64_t> max_length_;
  std::string name_, fingerprint_;
};

}  // namespace

bool is_static_model(const std::string& folder) {
  const Files files = files_of(folder);
  return stat_file(files.weights).is_regular && stat_file(files.tokenizer).is_regular;
}

Result<std::unique_ptr<const Embedder>> open_static_model(const std::string& folder) {
  return StaticModel::open(folder);
}

}  // namespace ragline
