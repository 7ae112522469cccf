#include "search/hybrid.h"

#include <algorithm>
#include <set>
#include <utility>

#include "search/dense.h"

namespace ragline {

namespace {

struct Entry {
  ChunkHit hit;
  HybridDetail detail;
};

// Ranks the first kSignalDepth anew; the others keep their order and stay behind them.
Status apply_signals(Searcher& searcher, const Snapshot& snapshot, std::vector<Entry>& entries) {
  const std::size_t depth = std::min(entries.size(), kSignalDepth);
  const double best = entries[0].hit.score;
  const QueryWords words = searcher.query_words();
  SignalReader reader(snapshot, searcher.weights().chunks(), searcher.governed(), words);
  for (std::size_t i = 0; i < depth; ++i) {
    RAGLINE_TRY(const Chunk chunk, snapshot.segments[entries[i].hit.segment]->chunk(entries[i].hit.chunk));
    entries[i].detail.signals = reader.read(chunk);
    entries[i].detail.has_signals = true;
    entries[i].hit.score = (best > 0 ? entries[i].hit.score / best : 0) + entries[i].detail.signals.sum();
  }
  for (std::size_t i = depth; i < entries.size(); ++i) entries[i].hit.score = best > 0 ? entries[i].hit.score / best : 0;
  std::stable_sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(depth),
                   [](const Entry& a, const Entry& b) { return a.hit.score > b.hit.score; });
  // Scores fall along the list, as readers of runs expect.
  for (std::size_t i = depth; i < entries.size(); ++i) entries[i].hit.score = std::min(entries[i].hit.score, entries[i - 1].hit.score);
  return {};
}

}  // namespace

Result<HybridResult> search_hybrid(Searcher& searcher, const Snapshot& snapshot, const ScopeBitmaps& scope, std::string_view query,
                                   std::span<const float> vector, const SearchOptions& options, const HybridOptions& hybrid) {
  SearchOptions words = options;
  words.top = hybrid.arms == Arms::kBoth ? std::max(kArmDepth, options.top) : 1;
  words.offset = 0;
  words.min_score = 0;
  words.collapse_documents = false;
  HybridResult out;
  RAGLINE_TRY(out.result, searcher.search(query, words));
  const std::vector<ChunkHit> sparse = std::exchange(out.result.hits, {});
  if (out.result.only_exclusions) return out;

  const std::size_t wanted = std::size_t{options.top} + options.offset;
  RAGLINE_TRY(const std::vector<ChunkHit> dense,
              search_dense(snapshot, searcher.allowed(), vector, static_cast<std::uint32_t>(std::clamp<std::size_t>(wanted, kArmDepth, UINT32_MAX))));
  std::vector<Entry> entries;
  if (hybrid.arms == Arms::kBoth) {
    FusionOptions fusion = hybrid.fusion;
    fusion.candidates = std::max(fusion.candidates, wanted);
    for (const FusedHit& fused : fuse(sparse, dense, scope.passing, fusion))
      entries.push_back({fused.hit, {Arms::kBoth, fused.sparse, fused.dense, fused.hit.score, false, {}}});
    if (hybrid.signals && !entries.empty()) RAGLINE_CHECK(apply_signals(searcher, snapshot, entries));
  } else {
    for (std::size_t i = 0; i < dense.size(); ++i) entries.push_back({dense[i], {Arms::kDense, {}, {i + 1, dense[i].score, dense[i].score}, dense[i].score, false, {}}});
  }

  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  std::size_t place = 0;
  for (const Entry& entry : entries) {
    if (entry.hit.score < options.min_score) continue;
    const std::uint32_t document = snapshot.segments[entry.hit.segment]->document_of(entry.hit.chunk);
    if (options.collapse_documents && !seen.insert({entry.hit.segment, document}).second) continue;
    if (place++ < options.offset) continue;
    if (out.result.hits.size() == options.top) break;
    out.result.hits.push_back(entry.hit);
    out.details.push_back(entry.detail);
  }
  return out;
}

}  // namespace ragline
