// dpp and ssd: relevance against what is new of a candidate (residuals.h).
//
// The order of (1-t) r + t log d^2 is that of exp(theta (r - max r)) d^2 with theta = (1-t)/t,
// which asks for one exponential a candidate and not for a logarithm a candidate and step. Where
// theta is so large that the exponential of some candidate would vanish, the logarithms are taken.
//
// Slow twin: tests/unit/select/dpp_test.cc, a determinant by LU for every candidate and step.
#include <algorithm>
#include <cmath>

#include "select/objectives.h"
#include "select/residuals.h"

namespace ragline {

namespace {

constexpr double kLeastExponent = -200;

class Dpp : public Objective {
 public:
  Dpp(const Pool& pool, const ObjectiveOptions& options)
      : relevance_(pool.relevance),
        diversity_(options.diversity),
        lazy_(options.window == 0 && pool.size >= options.lazy_from),
        residuals_(pool, {.jitter = options.jitter, .window = options.window, .lazy = lazy_}),
        values_(pool.size) {
    if (pool.size == 0 || diversity_ == 0) return;
    const auto [low, high] = std::ranges::minmax(relevance_);
    const double theta = (1 - diversity_) / diversity_;
    if (theta * (low - high) < kLeastExponent) return;
    for (const double r : relevance_) weights_.push_back(std::exp(theta * (r - high)));
  }

  std::span<const double> values() override {
    const auto squared = residuals_.squared();
    if (!weights_.empty()) {
      for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = weights_[i] * squared[i];
    } else {
      for (std::uint32_t i = 0; i < values_.size(); ++i) values_[i] = gain(i);
    }
    return values_;
  }
  double value(std::uint32_t i) override {
    return weights_.empty() ? gain(i) : weights_[i] * residuals_.squared()[i];
  }
  bool lazy() const override { return lazy_; }
  double tied(double best) const override {
    return weights_.empty() ? best - kTie * diversity_ : best * (1 - kTie);
  }
  bool refine(std::uint32_t candidate) override { return residuals_.refine(candidate); }
  double gain(std::uint32_t i) override {
    if (diversity_ == 0) return relevance_[i];
    return (1 - diversity_) * relevance_[i] + diversity_ * std::log(residuals_.squared()[i]);
  }
  void add(std::uint32_t pick) override { residuals_.add(pick); }

 private:
  const std::vector<double>& relevance_;
  const double diversity_;
  const bool lazy_;
  Residuals residuals_;
  std::vector<double> weights_, values_;
};

class Ssd : public Objective {
 public:
  Ssd(const Pool& pool, const ObjectiveOptions& options)
      : relevance_(pool.relevance),
        diversity_(options.diversity),
        residuals_(pool, {.jitter = options.jitter, .window = options.window, .constant = true}),
        values_(pool.size) {}

  std::span<const double> values() override {
    for (std::uint32_t i = 0; i < values_.size(); ++i) values_[i] = gain(i);
    return values_;
  }
  bool refine(std::uint32_t candidate) override { return residuals_.refine(candidate); }
  double gain(std::uint32_t i) override {
    return (1 - diversity_) * relevance_[i] + diversity_ * std::sqrt(residuals_.squared()[i]);
  }
  void add(std::uint32_t pick) override { residuals_.add(pick); }

 private:
  const std::vector<double>& relevance_;
  const double diversity_;
  Residuals residuals_;
  std::vector<double> values_;
};

}  // namespace

std::unique_ptr<Objective> make_dpp(const Pool& pool, const ObjectiveOptions& options) {
  return std::make_unique<Dpp>(pool, options);
}

std::unique_ptr<Objective> make_ssd(const Pool& pool, const ObjectiveOptions& options) {
  return std::make_unique<Ssd>(pool, options);
}

}  // namespace ragline
