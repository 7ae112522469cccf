#include "select/similarity.h"

#include <cmath>

#include "select/dot.h"

namespace ragline {

Cosines::Cosines(const Pool& pool)
    : pool_(pool), inverse_(pool.size), row_(pool.size), products_(pool.size) {
  for (std::size_t i = 0; i < pool.size; ++i)
    inverse_[i] = 1 / std::sqrt(dot(pool.row(i), pool.row(i)));
}

std::span<const double> Cosines::with(std::size_t candidate) {
  dots(pool_.row(candidate), pool_.vectors.first(pool_.size * pool_.dimensions), products_);
  for (std::size_t i = 0; i < pool_.size; ++i)
    row_[i] = static_cast<double>(products_[i]) * inverse_[candidate] * inverse_[i];
  return row_;
}

}  // namespace ragline
