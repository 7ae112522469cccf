// facility, cover, xquad: monotone submodular measures of what the set covers - the pool itself, or
// the aspects of the query.
//
// Slow twin: tests/unit/select/methods_test.cc, the set function evaluated with and without each
// candidate.
#include <algorithm>
#include <cmath>

#include "select/objectives.h"
#include "select/similarity.h"

namespace ragline {

namespace {

// What a set covers of each candidate j, and how much more it would be with one more.
class Coverage : public Objective {
 public:
  Coverage(const Pool& pool, const ObjectiveOptions& options, bool best_only)
      : relevance_(pool.relevance),
        diversity_(options.diversity),
        best_only_(best_only),
        size_(pool.size),
        similarity_(pool.size * pool.size),
        covered_(pool.size),
        values_(pool.size) {
    Cosines cosines(pool);
    for (std::size_t i = 0; i < size_; ++i)
      std::ranges::transform(cosines.with(i),
                             similarity_.begin() + static_cast<std::ptrdiff_t>(i * size_),
                             [](double s) { return static_cast<float>(std::max(s, 0.0)); });
  }
  std::span<const double> values() override {
    for (std::size_t i = 0; i < size_; ++i) {
      double more = 0;
      for (std::size_t j = 0; j < size_; ++j) more += joined(i, j) - level(covered_[j]);
      values_[i] =
          (1 - diversity_) * relevance_[i] + diversity_ * more / static_cast<double>(size_);
    }
    return values_;
  }
  void add(std::uint32_t pick) override {
    for (std::size_t j = 0; j < size_; ++j) {
      const double s = similarity_[pick * size_ + j];
      covered_[j] = best_only_ ? std::max(covered_[j], s) : covered_[j] + s;
    }
  }

 private:
  double level(double covered) const { return best_only_ ? covered : std::sqrt(covered); }
  double joined(std::size_t i, std::size_t j) const {
    const double s = similarity_[i * size_ + j];
    return best_only_ ? std::max(covered_[j], s) : std::sqrt(covered_[j] + s);
  }

  const std::vector<double>& relevance_;
  const double diversity_;
  const bool best_only_;
  const std::size_t size_;
  std::vector<float> similarity_;
  std::vector<double> covered_, values_;
};

class Xquad : public Objective {
 public:
  Xquad(const Pool& pool, const ObjectiveOptions& options)
      : pool_(pool), diversity_(options.diversity), open_(pool.aspects, 1), values_(pool.size) {}
  std::span<const double> values() override {
    const auto share = diversity_ / static_cast<double>(std::max<std::size_t>(pool_.aspects, 1));
    for (std::size_t i = 0; i < pool_.size; ++i) {
      double more = 0;
      for (std::size_t a = 0; a < pool_.aspects; ++a) more += open_[a] * answer(i, a);
      values_[i] = (1 - diversity_) * pool_.relevance[i] + share * more;
    }
    return values_;
  }
  void add(std::uint32_t pick) override {
    for (std::size_t a = 0; a < pool_.aspects; ++a) open_[a] *= 1 - answer(pick, a);
  }

 private:
  double answer(std::size_t i, std::size_t a) const { return pool_.answers[i * pool_.aspects + a]; }

  const Pool& pool_;
  const double diversity_;
  std::vector<double> open_, values_;
};

}  // namespace

std::unique_ptr<Objective> make_facility(const Pool& pool, const ObjectiveOptions& options) {
  return std::make_unique<Coverage>(pool, options, true);
}

std::unique_ptr<Objective> make_cover(const Pool& pool, const ObjectiveOptions& options) {
  return std::make_unique<Coverage>(pool, options, false);
}

std::unique_ptr<Objective> make_xquad(const Pool& pool, const ObjectiveOptions& options) {
  return std::make_unique<Xquad>(pool, options);
}

}  // namespace ragline
