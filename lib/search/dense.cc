#include "search/dense.h"

#include <algorithm>

#include "core/text.h"

namespace ragline {

Result<std::vector<ChunkHit>> search_dense(const Snapshot& snapshot, const std::vector<std::optional<Bitmap>>& allowed, std::span<const float> query,
                                           std::uint32_t top) {
  std::vector<ChunkHit> hits;
  for (std::uint32_t s = 0; s < snapshot.segments.size(); ++s) {
    const VectorTable* table = snapshot.segments[s]->vectors();
    if (!table) continue;
    if (table->rows().dimensions != query.size())
      return fail(ErrorKind::kUsage, cat("the query's vector has ", query.size(), " values, the index's have ", table->rows().dimensions,
                                         ": embed the query with the model of the index"));
    std::vector<std::uint64_t> filter(table->present().begin(), table->present().end());
    if (allowed[s])
      for (std::size_t i = 0; i < filter.size(); ++i) filter[i] &= allowed[s]->words()[i];
    for (const Neighbour& found : search_flat(table->rows(), query, {.k = top, .filter = filter})) hits.push_back({s, found.row, found.score});
  }
  std::ranges::sort(hits, [&](const ChunkHit& a, const ChunkHit& b) { return a.score != b.score ? a.score > b.score : id_less(snapshot, a, b); });
  if (hits.size() > top) hits.resize(top);
  return hits;
}

}  // namespace ragline
