#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/result.h"
#include "index/filter.h"
#include "index/snapshot.h"
#include "search/searcher.h"

namespace ragline {

// The nearest chunks by inner product with `query` (of length 1, so that scores are cosines), best first; equal scores by id. Exact over
// the codes that the index keeps. `allowed`: by segment, what may be a hit, deleted chunks excluded; nullopt is all chunks of the segment.
// Chunks without a vector are never hits. kUsage for a query of another number of dimensions.
Result<std::vector<ChunkHit>> search_dense(const Snapshot& snapshot, const std::vector<std::optional<Bitmap>>& allowed, std::span<const float> query,
                                           std::uint32_t top);

}  // namespace ragline
