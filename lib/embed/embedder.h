#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

// Text to vectors, whatever makes them: one interface and, behind open_embedder, its kinds.
//
//   RAGLINE_TRY(const auto embedder, open_embedder({.model = "/models/potion"}));
//   RAGLINE_TRY(const std::vector<float> rows, embedder->embed(texts, TextRole::kPassage));
//   // texts.size() rows of embedder->dimensions() floats, one after the other
//
// Rows have length 1 (inner product is cosine), except that a text without a known token - an empty
// one, say - is a row of zeros: it has no direction, and who keeps vectors keeps none for it
// (is_zero). Every value is finite: an embedder that gets something else from a model or a server
// gives an error.
//
// Queries and passages may be embedded differently ("query: " in front, for E5); documents are
// always kPassage.
//
// The fingerprint names everything that decides a vector: kind, a hash of the model's files or the
// server's model name, dimensions, prefixes, pooling. Vectors of different fingerprints are never
// compared: an index keeps its own and refuses another (check_fingerprint words that error). It has
// no path or URL in it.
//
// Threads: embed() may be called by any number of threads at once.
namespace ragline {

enum class TextRole { kPassage, kQuery };

class Embedder {
 public:
  virtual ~Embedder() = default;

  // Floats a row. A server's is known only after its first answer; until then 0.
  virtual std::size_t dimensions() const = 0;
  virtual std::string fingerprint() const = 0;
  // For people: "potion-base-8M: static, 256 dimensions".
  virtual std::string description() const = 0;
  // How many texts a call should have to be fast; more or fewer are right as well.
  virtual std::size_t batch() const = 0;

  // texts: UTF-8 (other bytes count as U+FFFD), any length; what a model cannot take in is cut off
  // its end. Errors: kIo from a server, kData from what it or a model gave.
  virtual Result<std::vector<float>> embed(std::span<const std::string_view> texts,
                                           TextRole role) const = 0;
};

struct EmbedderOptions {
  // A folder or file of a model, or a name in one of `model_folders`.
  std::string model;
  // Where names are looked for, in this order: model_folders() gives the usual ones.
  std::vector<std::string> model_folders;
};

// Errors: kNotFound for a name or path that is not there (the message lists the names that are),
// kData for files that are no model, each with the file and what would be right.
Result<std::unique_ptr<const Embedder>> open_embedder(const EmbedderOptions& options);

// $RAGLINE_MODELS, else $XDG_DATA_HOME/ragline/models (~/.local/share); then share/ragline/models
// of the installation that the running program belongs to, or share/models of its source tree.
std::vector<std::string> model_folders();
// The names of the models in them, sorted.
std::vector<std::string> model_names(std::span<const std::string> folders);
// The model that is used when none is named: `name`s of model_names, "" when there is none.
inline constexpr std::string_view kDefaultModel = "ragline-static";

// Scales to length 1; a row of zeros stays. False when a value is not finite.
bool normalise_row(std::span<float> row);
bool is_zero(std::span<const float> row);

// kUsage unless both are equal: "the index has vectors of X, and --model gives Y: ...".
Status check_fingerprint(std::string_view kept, std::string_view given);

}  // namespace ragline
