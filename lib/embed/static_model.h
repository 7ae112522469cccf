#pragma once
#include <memory>
#include <string>

#include "core/result.h"
#include "embed/embedder.h"

namespace ragline {

// A static model: a vector a token, and a text's is the mean of its tokens'. The folder is
// Model2Vec's or sentence-transformers', whose StaticEmbedding lies in 0_StaticEmbedding/, or
// WordLlama's:
//
//   model.safetensors   `embeddings`, `embedding.weight` or `0`: tokens × dimensions, of floats or
//   of int8; optional
//                       `scales`: the factor of each int8 row (ours; Model2Vec's int8 tables have
//                       none, and their factor cancels in the normalised mean); optional `weights`:
//                       a factor a token; optional `mapping`: the row of each token
//   tokenizer.json
//   config.json         optional: `max_length`, the most tokens that count (512; null: all)
//
// Unknown tokens do not count. Reading maps the table and copies nothing; rows are used as they lie
// there.
Result<std::unique_ptr<const Embedder>> open_static_model(const std::string& folder);

// Whether the folder has a static model's files.
bool is_static_model(const std::string& folder);

}  // namespace ragline
