#include <algorithm>
#include <memory>

#include "lexical/score.h"

// Every posting of every list is added to an accumulator, a window of chunks at a time, so that accumulators stay in the
// first-level cache whatever the size of the segment. No bounds, no order of lists: the sum of integers is the same in any order.

namespace ragline {

namespace {

constexpr std::uint32_t kWindow = 8192;

// A list being read from front to back.
struct Cursor {
  const ScoredList* list;
  std::uint32_t block = 0, at = 0, count = 0;
  std::uint32_t docs[kBlock], tfs[kBlock], scores[kBlock];

  // False at the end of the list.
  bool load() {
    while (at == count) {
      if (block == list->list.block_count()) return false;
      count = list->list.decode(block++, docs, tfs);
      at = 0;
      if (count == 0) return false;
      score_block(*list, docs, tfs, count, scores);
    }
    return true;
  }
};

}  // namespace

namespace {

// A score that `top` chunks reach: those that are best in one list alone. Nothing below it need be looked at. Holds only where every
// chunk may be a hit. Where documents stand for their chunks, some of the best may be of one document: as many more are counted as there are
// chunks beside the first of their document.
std::uint32_t sure_floor(std::span<const ScoredList> lists, std::uint32_t chunk_count, const RankOptions& options) {
  std::uint32_t floor = options.floor;
  const std::size_t more = options.first_chunk.empty() ? 0 : chunk_count - (options.first_chunk.size() - 1);
  const std::size_t needed = std::size_t{options.top} + more;
  if (options.allowed || options.top == 0 || needed > FlatList::kBest) return floor;
  for (const ScoredList& list : lists) {
    if (!list.flat || list.flat->best.size() < needed) continue;
    const float impact = list.flat->best[needed - 1];
    std::uint32_t score = 0;
    const std::uint32_t self = 0;
    add_flat(list.weight, &self, &impact, 1, 0, &score);
    floor = std::max(floor, score);
  }
  return floor;
}

}  // namespace

std::vector<RankedChunk> rank_exhaustive(std::span<const ScoredList> lists, std::uint32_t chunk_count, const RankOptions& given) {
  RankOptions options = given;
  options.floor = sure_floor(lists, chunk_count, given);
  TopChunks top(options);
  struct FlatCursor {
    const ScoredList* list;
    std::size_t at;
  };
  std::vector<FlatCursor> flats;
  auto cursors = std::make_unique_for_overwrite<Cursor[]>(lists.size());
  std::size_t live = 0;
  for (const ScoredList& list : lists) {
    if (list.flat) {
      flats.push_back({&list, 0});
      continue;
    }
    Cursor& cursor = cursors[live];
    cursor.list = &list;
    cursor.block = cursor.at = cursor.count = 0;
    if (cursor.load()) ++live;
  }
  std::uint32_t sums[kWindow];
  std::fill_n(sums, std::min(chunk_count + kScan, kWindow), 0u);
  // Groups of kScan sums that have been added to: the others need neither a look nor clearing.
  std::uint8_t touched[kWindow / kScan] = {};
  for (std::uint32_t base = 0; base < chunk_count && (live > 0 || !flats.empty());) {
    const std::uint32_t end = std::min(chunk_count, base + kWindow);
    for (FlatCursor& cursor : flats) {
      const std::vector<std::uint32_t>& docs = cursor.list->flat->docs;
      const std::size_t stop = end == chunk_count ? docs.size()
                                                  : static_cast<std::size_t>(std::lower_bound(docs.begin() + static_cast<std::ptrdiff_t>(cursor.at), docs.end(), end) - docs.begin());
      add_flat(cursor.list->weight, docs.data() + cursor.at, cursor.list->flat->impacts.data() + cursor.at, stop - cursor.at, base, sums);
      cursor.at = stop;
    }
    if (!flats.empty()) std::fill(std::begin(touched), std::end(touched), std::uint8_t{1});
    for (std::size_t i = 0; i < live;) {
      Cursor& cursor = cursors[i];
      bool more = true;
      while (more && cursor.docs[cursor.at] < end) {
        // Inside one block there is no need to look whether it has run out.
        std::uint32_t at = cursor.at;
        for (; at < cursor.count && cursor.docs[at] < end; ++at) {
          const std::uint32_t place = cursor.docs[at] - base;
          sums[place] += cursor.scores[at];
          touched[place / kScan] = 1;
        }
        cursor.at = at;
        more = cursor.load();
      }
      if (more) {
        ++i;
      } else {
        if (i != live - 1) cursors[i] = cursors[live - 1];
        --live;
      }
    }
    for (std::uint32_t group = 0; group < end - base; group += kScan) {
      if (!touched[group / kScan]) continue;
      touched[group / kScan] = 0;
      if (any_at_least(sums + group, top.threshold()))
        for (std::uint32_t i = group; i < group + kScan; ++i)
          if (sums[i] >= top.threshold() && (!options.allowed || options.allowed->test(base + i))) top.push(base + i, sums[i]);
      std::fill_n(sums + group, kScan, 0u);
    }
    base = end;
  }
  return top.take();
}

}  // namespace ragline
