#include "search/passage_embedder.h"

#include <algorithm>

#include "core/files.h"
#include "core/text.h"
#include "embed/passage.h"
#include "record/vector_field.h"

namespace ragline {

namespace {

constexpr std::string_view kExternal = "external";

// Paths are kept so that they hold from any directory; names stay names.
std::string kept_model(const std::string& model) {
  return model.find('/') == model.npos ? model : absolute_path(model);
}

}  // namespace

PassageEmbedder::PassageEmbedder(std::unique_ptr<const Embedder> embedder, bool asked, VectorSpace space)
    : embedder_(std::move(embedder)), space_(std::move(space)), settled_(asked || !space_.fingerprint.empty()) {
  by_model_ = embedder_ && settled_;
  if (!by_model_) return;
  space_.fingerprint = embedder_->fingerprint();
  space_.dimensions = static_cast<std::uint32_t>(embedder_->dimensions());
}

VectorSpace PassageEmbedder::space() const {
  std::lock_guard guard(lock_);
  VectorSpace space = space_;
  if (!by_model_ && settled_) space.model.clear();
  return space;
}

Status PassageEmbedder::settle(const std::string& fingerprint, std::size_t dimensions, bool by_model) {
  std::lock_guard guard(lock_);
  if (!settled_) {
    settled_ = true;
    by_model_ = by_model;
    space_.fingerprint = fingerprint;
  }
  if (space_.dimensions == 0) space_.dimensions = static_cast<std::uint32_t>(dimensions);
  if (space_.fingerprint != fingerprint)
    return fail(ErrorKind::kData, cat("a vector of '", fingerprint, "' among vectors of '", space_.fingerprint,
                                      "': embed all records with one model, or index them with --model none"));
  if (space_.dimensions != dimensions)
    return fail(ErrorKind::kData, cat("a vector of ", dimensions, " values among vectors of ", space_.dimensions, ": embed all records with one model"));
  return {};
}

Status PassageEmbedder::take_record_vector(const Chunk& chunk, std::size_t chunks, std::size_t place, ChunkedDocument& document) {
  auto field = read_vector(chunk.vector);
  const auto named = [&](Error error) {
    error.message = cat("document '", document.document.document_id, "', chunk ", chunk.ordinal, ": ", error.message);
    return std::unexpected(std::move(error));
  };
  if (!field) return named(std::move(field).error());
  if (auto status = settle(field->model.empty() ? std::string(kExternal) : field->model, field->values.size(), false); !status)
    return named(std::move(status).error());
  normalise_row(field->values);
  document.vectors.resize(chunks * field->values.size());
  std::ranges::copy(field->values, document.vectors.begin() + static_cast<std::ptrdiff_t>(place * field->values.size()));
  return {};
}

Status PassageEmbedder::embed(ChunkedDocument& document) {
  document.vectors.clear();
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < document.chunks.size(); ++i) {
    if (document.chunks[i].vector.empty()) {
      left.push_back(i);
    } else {
      RAGLINE_CHECK(take_record_vector(document.chunks[i], document.chunks.size(), i, document));
    }
  }
  bool by_model = embedder_ != nullptr && !left.empty();
  if (by_model) {
    std::lock_guard guard(lock_);
    by_model = !settled_ || by_model_;
  }
  if (!by_model) return {};
  std::vector<std::string> texts;
  for (const std::size_t i : left) texts.push_back(passage_text(document.chunks[i]));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  RAGLINE_TRY(const std::vector<float> rows, embedder_->embed(views, TextRole::kPassage));
  const std::size_t dimensions = embedder_->dimensions();
  RAGLINE_CHECK(settle(embedder_->fingerprint(), dimensions, true));
  document.vectors.resize(document.chunks.size() * dimensions);
  for (std::size_t n = 0; n < left.size(); ++n)
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(n * dimensions), dimensions,
                document.vectors.begin() + static_cast<std::ptrdiff_t>(left[n] * dimensions));
  return {};
}

Result<std::unique_ptr<PassageEmbedder>> open_passage_embedder(const std::string& model, const Manifest& manifest) {
  if (model == "none") {
    if (!manifest.embedder.empty())
      return fail(ErrorKind::kUsage, cat("--model none: the index has vectors of '", manifest.embedder, "': leave --model out, or build another index"));
    return nullptr;
  }
  VectorSpace space{manifest.embedder, manifest.model, manifest.dimensions};
  // An index stays as it is: with the vectors of its records, or with none.
  if (manifest.generation > 0 && manifest.model.empty() && model.empty())
    return std::make_unique<PassageEmbedder>(nullptr, false, std::move(space));
  EmbedderOptions options{model.empty() ? manifest.model : model, model_folders()};
  if (options.model.empty()) {
    const auto names = model_names(options.model_folders);
    if (std::ranges::find(names, kDefaultModel) == names.end()) return std::make_unique<PassageEmbedder>(nullptr, false, std::move(space));
    options.model = kDefaultModel;
  }
  RAGLINE_TRY(auto embedder, open_embedder(options));
  if (!manifest.embedder.empty()) RAGLINE_CHECK(check_fingerprint(manifest.embedder, embedder->fingerprint()));
  space.model = kept_model(options.model);
  return std::make_unique<PassageEmbedder>(std::move(embedder), !model.empty(), std::move(space));
}

Result<std::unique_ptr<const Embedder>> open_query_embedder(const std::string& model, const Manifest& manifest) {
  if (model.empty() && manifest.model.empty())
    return fail(ErrorKind::kNotFound, cat("the vectors of this index came with its records ('", manifest.embedder,
                                          "'): name their model with --model, or give each query its vector"));
  RAGLINE_TRY(auto embedder, open_embedder({model.empty() ? manifest.model : model, model_folders()}));
  RAGLINE_CHECK(check_fingerprint(manifest.embedder, embedder->fingerprint()));
  return embedder;
}

}  // namespace ragline
