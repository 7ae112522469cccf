#pragma once
#include <memory>
#include <string>

#include "core/result.h"
#include "embed/embedder.h"

namespace ragline {

// A transformer of the BERT family (BERT, XLM-R) as Hugging Face and sentence-transformers keep it:
//
//   config.json                          `model_type`: bert or xlm-roberta; layers, heads, width
//   model.safetensors, tokenizer.json    tensors in float32
//   sentence_bert_config.json            optional: `max_seq_length`, tokens that count, special
//   ones included 1_Pooling/config.json                optional: the mean of the tokens' last
//   states, or the first token's config_sentence_transformers.json    optional: `prompts`, texts
//   put before queries and passages
//
// It runs in OpenVINO, in a module that is loaded when the first such model is opened (encoder.h).
// A batch is cut by length, so that short texts do not wait for long ones. Compiled models are kept
// in $RAGLINE_CACHE (else ~/.cache/ragline). Errors: kNotFound when the module is not there, with
// what to do; kData with the file.
Result<std::unique_ptr<const Embedder>> open_transformer(const std::string& folder);

// Whether the folder's config.json names one of these types.
bool is_transformer(const std::string& folder);

}  // namespace ragline
