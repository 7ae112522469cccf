#include "select/residuals.h"

#include <algorithm>
#include <cmath>

#include "select/dot.h"

namespace ragline {

namespace {
// Of the whole: what double keeps of a difference of float inputs, and where float stops to do.
constexpr double kFloor = 1e-12, kRough = 1e-4;
}  // namespace

Residuals::Residuals(const Pool& pool, const ResidualOptions& options)
    : pool_(pool),
      options_(options),
      scale_(pool.size, 1),
      whole_(pool.size),
      exact_at_(pool.size, 0),
      products_(pool.size),
      known_(options.lazy ? pool.size : 0) {
  double largest = 0;
  for (std::size_t i = 0; i < pool.size; ++i) {
    float rough = 0;
    dots(pool.row(i), pool.row(i), {&rough, 1});
    // Lengths beyond float's squares are rare and cost a pass in double.
    const double square = rough > 1e-30f && std::isfinite(rough) ? static_cast<double>(rough)
                                                                 : dot(pool.row(i), pool.row(i));
    if (!pool.keep_lengths) scale_[i] = 1 / std::sqrt(square);
    whole_[i] = (pool.keep_lengths ? square : 1) + options.jitter;
    largest = std::max(largest, whole_[i]);
  }
  squared_ = whole_;
  floor_ = kFloor * largest;
}

double Residuals::product(std::uint32_t i, std::uint32_t j) const {
  const double own = dot(pool_.row(i), pool_.row(j)) * scale_[i] * scale_[j];
  return options_.constant ? (own + 1) / 2 : own;
}

// Solves for the coordinates of one candidate along the picks, in double.
void Residuals::make_exact(std::uint32_t candidate) {
  double rest = whole_[candidate];
  for (std::size_t s = 0; s < picks_.size(); ++s) {
    double value = product(picks_[s], candidate);
    for (std::size_t r = 0; r < s; ++r) value -= factor_[r][picks_[s]] * factor_[r][candidate];
    factor_[s][candidate] = value / lengths_[s];
    rest -= factor_[s][candidate] * factor_[s][candidate];
  }
  squared_[candidate] = std::max(rest, floor_);
  exact_at_[candidate] = step_;
}

// The picks since the candidate was last looked at, as add() would have minded them.
void Residuals::catch_up(std::uint32_t candidate) {
  const std::size_t from = known_[candidate], width = pool_.dimensions;
  const std::span<float> products = std::span(products_).first(picks_.size() - from);
  dots(pool_.row(candidate), std::span(pick_rows_).subspan(from * width), products);
  double rest = squared_[candidate];
  for (std::size_t s = from; s < picks_.size(); ++s) {
    double value = static_cast<double>(products[s - from]) * scale_[candidate] * scale_[picks_[s]];
    for (std::size_t r = 0; r < s; ++r) value -= factor_[r][picks_[s]] * factor_[r][candidate];
    factor_[s][candidate] = value / lengths_[s];
    rest -= factor_[s][candidate] * factor_[s][candidate];
  }
  squared_[candidate] = std::max(rest, floor_);
  known_[candidate] = static_cast<std::uint32_t>(picks_.size());
}

bool Residuals::refine(std::uint32_t candidate) {
  if (options_.lazy && known_[candidate] < picks_.size()) {
    catch_up(candidate);
    if (squared_[candidate] <= kRough * whole_[candidate]) make_exact(candidate);
    return true;
  }
  if (exact_at_[candidate] == step_ || squared_[candidate] > kRough * whole_[candidate])
    return false;
  make_exact(candidate);
  return true;
}

void Residuals::add(std::uint32_t pick) {
  if (options_.window > 0 && picks_.size() == options_.window) forget_oldest();
  make_exact(pick);
  const double length = std::sqrt(squared_[pick]);
  if (options_.lazy) {
    factor_.emplace_back(pool_.size)[pick] = length;
    pick_rows_.insert(pick_rows_.end(), pool_.row(pick).begin(), pool_.row(pick).end());
    lengths_.push_back(length);
    picks_.push_back(pick);
    known_[pick] = static_cast<std::uint32_t>(picks_.size());
    ++step_;
    return;
  }
  dots(pool_.row(pick), pool_.vectors.first(pool_.size * pool_.dimensions), products_);

  std::vector<double> column(pool_.size);
  const double scale = scale_[pick];
  for (std::size_t i = 0; i < pool_.size; ++i)
    column[i] = static_cast<double>(products_[i]) * scale * scale_[i];
  if (options_.constant)
    for (double& value : column) value = (value + 1) / 2;
  for (const std::vector<double>& known : factor_) {
    const double own = known[pick];
    for (std::size_t i = 0; i < pool_.size; ++i) column[i] -= own * known[i];
  }
  const double inverse = 1 / length;
  for (std::size_t i = 0; i < pool_.size; ++i) {
    column[i] *= inverse;
    squared_[i] = std::max(squared_[i] - column[i] * column[i], floor_);
  }
  column[pick] = length;
  factor_.push_back(std::move(column));
  lengths_.push_back(length);
  picks_.push_back(pick);
  ++step_;
}

// K = sum over picks s of (column s)(column s)^T on the picks. Without the oldest pick, what its
// column explained of the others has to go into the rest of the factor: rotating (column s, spilt)
// so that the pick's own entry takes the whole keeps K and leaves a new spilt column; what is spilt
// at the end is new again.
void Residuals::forget_oldest() {
  std::vector<double> spilt = std::move(factor_.front());
  factor_.erase(factor_.begin());
  picks_.erase(picks_.begin());
  lengths_.erase(lengths_.begin());
  for (std::size_t s = 0; s < picks_.size(); ++s) {
    std::vector<double>& column = factor_[s];
    const double length = std::hypot(lengths_[s], spilt[picks_[s]]);
    const double cosine = lengths_[s] / length, sine = spilt[picks_[s]] / length;
    for (std::size_t i = 0; i < pool_.size; ++i) {
      const double old = column[i];
      column[i] = cosine * old + sine * spilt[i];
      spilt[i] = cosine * spilt[i] - sine * old;
    }
    lengths_[s] = length;
  }
  for (std::size_t i = 0; i < pool_.size; ++i) squared_[i] += spilt[i] * spilt[i];
  ++step_;
}

}  // namespace ragline
