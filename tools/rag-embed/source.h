#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/flags.h"
#include "core/result.h"
#include "embed/embedder.h"
#include "embed/npy.h"

namespace ragline {

// Where vectors come from: a model, on several threads, or the rows of a matrix, one after the
// other.
class VectorSource {
 public:
  // By --model, --vectors and --threads.
  static Result<VectorSource> open(const Flags& flags);

  // One row of dimensions() floats a text.
  Result<std::vector<float>> next(std::span<const std::string_view> texts,
                                  std::span<const TextRole> roles);
  // kData unless every row of the matrix was used.
  Status finish() const;

  std::size_t dimensions() const { return embedder_ ? embedder_->dimensions() : matrix_->columns; }
  std::string fingerprint() const { return embedder_ ? embedder_->fingerprint() : matrix_print_; }
  std::string description() const;
  // How many texts next() likes.
  std::size_t batch() const { return embedder_ ? embedder_->batch() * threads_ : 1024; }

 private:
  Result<std::vector<float>> from_matrix(std::size_t count);
  std::unique_ptr<const Embedder> embedder_;
  std::optional<NpyMatrix> matrix_;
  std::string matrix_path_, matrix_print_;
  std::size_t used_ = 0, threads_ = 1;
};

}  // namespace ragline
