#pragma once
#include <memory>
#include <mutex>
#include <string>

#include "core/result.h"
#include "embed/embedder.h"
#include "index/manifest.h"
#include "index/vectors.h"

// Embedders and indexes: which one a build uses, and which one a query must.
namespace ragline {

// Vectors for the documents of a build: those that records bring, and a model's for the others.
//
// Vectors of an index are of one space, settled by the first that holds: what the index has; the model that was asked for; vectors of the
// first record that brings some, whose neighbours without one then have none; the default model.
class PassageEmbedder : public DocumentEmbedder {
 public:
  // `embedder` may be null: then only records bring vectors. `asked`: the user named the model. `space`: what the index has already;
  // for a new one, empty but for `model`, which is kept with the index.
  PassageEmbedder(std::unique_ptr<const Embedder> embedder, bool asked, VectorSpace space);

  Status embed(ChunkedDocument& document) override;
  VectorSpace space() const override;

 private:
  Status settle(const std::string& fingerprint, std::size_t dimensions, bool by_model);
  Status take_record_vector(const Chunk& chunk, std::size_t chunks, std::size_t place, ChunkedDocument& document);

  std::unique_ptr<const Embedder> embedder_;
  mutable std::mutex lock_;
  VectorSpace space_;     // guarded by lock_
  bool settled_ = false;  // likewise
  bool by_model_ = false;  // likewise: chunks without a vector get one from embedder_
};

// --model for a build: a name or path, "none", or "" for what the index has; for a new one the default model where it is installed. Null for none.
// kNotFound, kData as open_embedder; kUsage when the index has vectors and "none" or another model is asked for.
Result<std::unique_ptr<PassageEmbedder>> open_passage_embedder(const std::string& model, const Manifest& manifest);

// What embeds the queries of an index that has vectors: `model`, or when that is empty the model of the index. kUsage when its
// fingerprint is not the index's, kNotFound when the index does not know its model.
Result<std::unique_ptr<const Embedder>> open_query_embedder(const std::string& model, const Manifest& manifest);

}  // namespace ragline
