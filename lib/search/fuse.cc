#include "search/fuse.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace ragline {

namespace {

class Normaliser {
 public:
  // `padded`: chunks that are no hits count as scores of zero.
  Normaliser(const std::vector<ChunkHit>& hits, std::uint64_t passing, bool padded, const FusionOptions& options) : options_(options) {
    const std::size_t known = std::min<std::size_t>(hits.size(), kArmDepth);
    const std::size_t n = padded ? std::max<std::size_t>(known, static_cast<std::size_t>(std::min<std::uint64_t>(kArmDepth, passing))) : known;
    if (known == 0) return;
    high_ = hits[0].score;
    low_ = n > known ? 0 : hits[known - 1].score;
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < known; ++i) sum += hits[i].score;
    mean_ = sum / static_cast<double>(n);
    for (std::size_t i = 0; i < known; ++i) squares += (hits[i].score - mean_) * (hits[i].score - mean_);
    squares += static_cast<double>(n - known) * mean_ * mean_;
    deviation_ = std::sqrt(squares / static_cast<double>(n));
  }

  double operator()(double score, std::size_t rank) const {
    switch (options_.fusion) {
      case Fusion::kZSquared:
      case Fusion::kZ: return deviation_ > 0 ? std::max(0.0, (score - mean_) / deviation_) : 0;
      case Fusion::kMinMax: return high_ > low_ ? (score - low_) / (high_ - low_) : 1;
      case Fusion::kRrf: return 1 / (options_.rrf_k + static_cast<double>(rank));
    }
    return 0;
  }

 private:
  const FusionOptions& options_;
  double mean_ = 0, deviation_ = 0, low_ = 0, high_ = 0;
};

}  // namespace

std::vector<FusedHit> fuse(const std::vector<ChunkHit>& sparse, const std::vector<ChunkHit>& dense, std::uint64_t passing,
                           const FusionOptions& options) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, FusedHit> by_chunk;
  const auto add = [&](const std::vector<ChunkHit>& hits, const Normaliser& normalise, double weight, ArmPlace FusedHit::*arm) {
    for (std::size_t i = 0; i < hits.size() && i < options.candidates; ++i) {
      FusedHit& fused = by_chunk[{hits[i].segment, hits[i].chunk}];
      const double value = normalise(hits[i].score, i + 1);
      fused.*arm = {i + 1, hits[i].score, value};
      fused.hit.segment = hits[i].segment;
      fused.hit.chunk = hits[i].chunk;
      fused.hit.score += weight * (options.fusion == Fusion::kZSquared ? value * value : value);
    }
  };
  add(sparse, Normaliser(sparse, passing, true, options), options.sparse_weight, &FusedHit::sparse);
  add(dense, Normaliser(dense, passing, false, options), options.dense_weight, &FusedHit::dense);
  std::vector<FusedHit> out;
  for (auto& [chunk, fused] : by_chunk) out.push_back(fused);
  const auto place = [](const FusedHit& fused) {
    const auto rank = [](const ArmPlace& arm) { return arm.rank == 0 ? UINT64_MAX : arm.rank; };
    return std::tuple(-fused.hit.score, rank(fused.sparse), rank(fused.dense));
  };
  std::ranges::sort(out, {}, place);
  return out;
}

}  // namespace ragline
