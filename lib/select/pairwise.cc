// mmr, msd, top: relevance against the cosines with what was picked. O(k m D).
#include <algorithm>
#include <limits>

#include "select/objectives.h"
#include "select/similarity.h"

namespace ragline {

namespace {

class Pairwise : public Objective {
 public:
  Pairwise(const Pool& pool, const ObjectiveOptions& options)
      : relevance_(pool.relevance), diversity_(options.diversity), cosines_(pool) {
    for (const double r : relevance_) values_.push_back((1 - diversity_) * r);
  }
  std::span<const double> values() override { return values_; }

 protected:
  const std::vector<double>& relevance_;
  const double diversity_;
  Cosines cosines_;
  std::vector<double> values_;
};

class Mmr : public Pairwise {
 public:
  Mmr(const Pool& pool, const ObjectiveOptions& options)
      : Pairwise(pool, options), nearest_(pool.size, -1) {}
  void add(std::uint32_t pick) override {
    const auto cosines = cosines_.with(pick);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      nearest_[i] = std::max(nearest_[i], cosines[i]);
      values_[i] = (1 - diversity_) * relevance_[i] - diversity_ * nearest_[i];
    }
  }

 private:
  std::vector<double> nearest_;
};

class Msd : public Pairwise {
 public:
  Msd(const Pool& pool, const ObjectiveOptions& options)
      : Pairwise(pool, options),
        share_(options.diversity /
               static_cast<double>(std::max<std::size_t>(options.count, 2) - 1)) {}
  void add(std::uint32_t pick) override {
    const auto cosines = cosines_.with(pick);
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += share_ * (1 - cosines[i]);
  }

 private:
  const double share_;
};

class Top : public Pairwise {
 public:
  Top(const Pool& pool, const ObjectiveOptions& options) : Pairwise(pool, options) {
    values_ = relevance_;
  }
  void add(std::uint32_t pick) override {
    const auto cosines = cosines_.with(pick);
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (diversity_ > 0 && cosines[i] >= 1 - diversity_ + kTie)
        values_[i] = -std::numeric_limits<double>::infinity();
  }
};

}  // namespace

std::unique_ptr<Objective> make_mmr(const Pool& pool, const ObjectiveOptions& options) {
  return std::make_unique<Mmr>(pool, options);
}

std::unique_ptr<Objective> make_msd(const Pool& pool, const ObjectiveOptions& options) {
  return std::make_unique<Msd>(pool, options);
}

std::unique_ptr<Objective> make_top(const Pool& pool, const ObjectiveOptions& options) {
  return std::make_unique<Top>(pool, options);
}

}  // namespace ragline
