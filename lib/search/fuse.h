#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/searcher.h"

// Two ranked lists into one. Each arm gives its best hits; what one arm alone has found is there with nothing from the other.
//
//   kZSquared  w_s z_s² + w_d z_d²; the default. z = max(0, (score - m) / s) with mean m and deviation s of the arm's best n scores
//   kZ         w_s z_s + w_d z_d
//   kMinMax    each arm's best n scores stretched to 0 ... 1
//   kRrf       w_s / (k + rank_s) + w_d / (k + rank_d)   (Cormack et al., SIGIR 2009)
//
// n = min(1000, chunks that pass the filter). A sparse arm that found fewer has zeros for the others: most chunks share no word with a
// query, and how far a hit stands out is judged against them. Squares let an arm that is sure outvote one that is not; over fifteen public
// collections they lost least against the better arm.
namespace ragline {

enum class Fusion : std::uint8_t { kZSquared, kZ, kMinMax, kRrf };

struct FusionOptions {
  Fusion fusion = Fusion::kZSquared;
  double sparse_weight = 0.4, dense_weight = 0.6;
  double rrf_k = 60;
  std::size_t candidates = 100;  // of each arm that are fused; all of its hits count for m and s
};

// Hits of an arm that fusion looks at: ask each arm for as many.
inline constexpr std::uint32_t kArmDepth = 1000;

// What an arm knows of a fused hit.
struct ArmPlace {
  std::uint64_t rank = 0;  // from 1; 0: not among its candidates
  double score = 0;
  double normalised = 0;   // z, or the share of min-max or rank
};

struct FusedHit {
  ChunkHit hit;  // score is the fused one
  ArmPlace sparse, dense;
};

// Both lists best first. `passing`: chunks that pass the filter. Best first; equal scores by the sparse rank, then the dense.
std::vector<FusedHit> fuse(const std::vector<ChunkHit>& sparse, const std::vector<ChunkHit>& dense, std::uint64_t passing,
                           const FusionOptions& options);

}  // namespace ragline
