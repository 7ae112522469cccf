#include <algorithm>
#include <memory>

#include "lexical/score.h"
#include "lexical/window.h"

// Every posting of every list is added to an accumulator, a window of chunks at a time, so that accumulators stay in the
// first-level cache whatever the size of the segment. No bounds, no order of lists: the sum of integers is the same in any order.

namespace ragline {

namespace {


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

// A score that `top` chunks reach: those that are best in one list alone. Nothing below it need be looked at. Holds only where every
// chunk may be a hit. Where documents stand for their chunks, some of the best may be of one document: as many more are counted as there are
// chunks beside the first of their document.
std::uint32_t sure_floor(std::span<const ScoredList> lists, std::uint32_t chunk_count, const RankOptions& options) {
  std::uint32_t floor = options.floor;
  const std::size_t spare = options.first_chunk.empty() ? 0 : chunk_count - (options.first_chunk.size() - 1);
  const std::size_t needed = options.top + spare;
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
  Window window(chunk_count);
  std::vector<RankedChunk> found;
  for (std::uint32_t base = 0; base < chunk_count && (live > 0 || !flats.empty());) {
    const std::uint32_t end = std::min(chunk_count, base + Window::kSize);
    window.move_to(base);
    for (FlatCursor& cursor : flats) {
      const std::vector<std::uint32_t>& docs = cursor.list->flat->docs;
      const std::size_t stop = end == chunk_count ? docs.size()
                                                  : static_cast<std::size_t>(std::lower_bound(docs.begin() + static_cast<std::ptrdiff_t>(cursor.at), docs.end(), end) - docs.begin());
      window.add_run(*cursor.list, cursor.at, stop - cursor.at);
      cursor.at = stop;
    }
    for (std::size_t i = 0; i < live;) {
      Cursor& cursor = cursors[i];
      bool more = true;
      while (more && cursor.docs[cursor.at] < end) {
        const std::uint32_t* const from = cursor.docs + cursor.at;
        const std::uint32_t* stop = cursor.docs + cursor.count;
        if (stop[-1] >= end) stop = std::lower_bound(from, stop, end);
        window.add_postings(from, cursor.scores + cursor.at, static_cast<std::uint32_t>(stop - from));
        cursor.at = static_cast<std::uint32_t>(stop - cursor.docs);
        more = cursor.load();
      }
      if (more) {
        ++i;
      } else {
        if (i != live - 1) cursors[i] = cursors[live - 1];
        --live;
      }
    }
    found.clear();
    window.collect(end - base, top.threshold(), options.allowed, found);
    top.push_all(found);
    base = end;
  }
  return top.take();
}

}  // namespace ragline
