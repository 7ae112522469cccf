#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "search/fuse.h"
#include "search/searcher.h"
#include "search/signals.h"

// Retrieval by words and by meaning in one search: both arms under the same filter and the query's own musts and exclusions, their lists
// fused (fuse.h), the best few put in order by signals (signals.h).
namespace ragline {

enum class Arms : std::uint8_t { kBoth, kDense };

struct HybridOptions {
  Arms arms = Arms::kBoth;
  FusionOptions fusion;
  bool signals = true;
};

// How a hit came by its place; by the order of SearchResult::hits.
struct HybridDetail {
  Arms arms = Arms::kBoth;  // of the search that found it
  ArmPlace sparse, dense;
  double fused = 0;        // before signals
  bool has_signals = false;
  Signals signals;
};

struct HybridResult {
  SearchResult result;     // as of the sparse arm but for the hits
  std::vector<HybridDetail> details;
};

// `vector`: of the query, of length 1, by the index's embedder. options.min_score bounds the score of the mode: a cosine, or the fused one.
Result<HybridResult> search_hybrid(Searcher& searcher, const Snapshot& snapshot, const ScopeBitmaps& scope, std::string_view query,
                                   std::span<const float> vector, const SearchOptions& options, const HybridOptions& hybrid);

}  // namespace ragline
