#include <algorithm>
#include <memory>
#include <numeric>

#include "lexical/score.h"
#include "lexical/window.h"

// Block-max MaxScore over windows of chunks.
//
// Every block of a list has an upper bound on what its postings can add (from its frontier, for the k1, b and boost of this query). In a window of
// neighbouring chunks a list's bound is the largest of its blocks there. Sort the lists by that bound, weakest first: as long as
// the sum of the weakest stays below the k-th best score so far, no chunk that holds only those can enter. They are
// "non-essential": only chunks found in the other, essential lists are looked up in them, strongest first, and a chunk is dropped as soon as what it has plus
// what the rest could add falls below the threshold. A window without essential lists is skipped whole.
//
// Works best when a query has rare and common words (the common ones are hardly read) and k is small. It gains nothing when k
// reaches the number of matches, or all words are equally frequent and strong: then it does what rank_exhaustive does, plus bookkeeping.
// Twin: rank_exhaustive, and a map of sums in tests/unit/lexical/rank_test.cc.
// (Turtle and Flood 1995: MaxScore; Ding and Suel 2011: block maxima; the windows as in Lucene since 9.)

namespace ragline {

namespace {

constexpr std::uint32_t kWindow = 4096;
static_assert(kWindow <= Window::kSize);

struct Cursor {
  const ScoredList* list = nullptr;
  std::vector<std::uint32_t> bounds, lasts;  // by block: the bound, the last chunk
  std::uint32_t block = 0;                   // the first block that may hold a chunk of the window
  std::uint32_t decoded = UINT32_MAX;        // which block is in docs and tfs
  std::uint32_t count = 0, at = 0;
  bool scored = false;
  std::uint32_t docs[kBlock], tfs[kBlock], scores[kBlock];
  std::uint32_t window_bound = 0;

  explicit Cursor(const ScoredList& scored_list) : list(&scored_list) {
    const PostingList& postings = scored_list.list;
    bounds.resize(postings.block_count());
    lasts.resize(bounds.size());
    for (std::uint32_t b = 0; b < bounds.size(); ++b) {
      ImpactPair frontier[kFrontier];
      if (postings.block_frontier(b, frontier)) {
        bounds[b] = frontier_bound(scored_list, frontier);
        lasts[b] = postings.block_last_doc(b);
      } else {
        load(b);
        score();
        bounds[b] = count ? *std::max_element(scores, scores + count) : 0;
        lasts[b] = count ? docs[count - 1] : 0;
      }
    }
  }

  // The first block from `block` on that reaches the chunk. It is near.
  std::uint32_t find(std::uint32_t doc) const {
    std::uint32_t b = block;
    while (b < lasts.size() && lasts[b] < doc) ++b;
    return b;
  }
  // No posting lies between `begin` and this chunk; UINT32_MAX at the list's end. Reads the block of a list that is sparse enough to let
  // windows be skipped.
  std::uint32_t next(std::uint32_t begin) {
    block = find(begin);
    if (block == lasts.size()) return UINT32_MAX;
    const std::uint32_t from = block ? lasts[block - 1] + 1 : 0;
    if (decoded != block) {
      if (from > begin) return from;
      if (lasts[block] - from < 2 * kWindow) return begin;
      load(block);
    }
    const std::uint32_t* found = std::lower_bound(docs, docs + count, begin);
    return found == docs + count ? begin : *found;
  }

  void load(std::uint32_t b) {
    if (decoded == b) return;
    count = list->list.decode(b, docs, tfs);
    decoded = b;
    at = 0;
    scored = false;
  }
  void score() {
    if (!scored) score_block(*list, docs, tfs, count, scores);
    scored = true;
  }

  // Moves to the window [begin, end) and finds its bound.
  void enter(std::uint32_t begin, std::uint32_t end) {
    block = find(begin);
    window_bound = 0;
    for (std::uint32_t b = block; b < bounds.size(); ++b) {
      // A decoded block knows whether it has anything before `end`.
      if (b != decoded || holds(begin, end)) window_bound = std::max(window_bound, bounds[b]);
      if (lasts[b] >= end - 1) break;
    }
  }
  bool holds(std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t* found = std::lower_bound(docs, docs + count, begin);
    return found != docs + count && *found < end;
  }

  // Adds its postings to the window's sums.
  void add(std::uint32_t begin, std::uint32_t end, Window& window) {
    for (std::uint32_t b = block; b < bounds.size(); ++b) {
      load(b);
      score();
      const std::uint32_t* const from = std::lower_bound(docs, docs + count, begin);
      const std::uint32_t* const stop = std::lower_bound(from, static_cast<const std::uint32_t*>(docs + count), end);
      window.add_postings(from, scores + (from - docs), static_cast<std::uint32_t>(stop - from));
      if (stop < docs + count || count == 0) break;
    }
  }

  // The bound of the block that would hold the chunk; moves there. Chunks come ascending.
  std::uint32_t bound_at(std::uint32_t doc) {
    block = find(doc);
    return block < bounds.size() ? bounds[block] : 0;
  }
  // The contribution in the chunk, which is in `block` if anywhere.
  std::uint32_t score_at(std::uint32_t doc) {
    load(block);
    while (at < count && docs[at] < doc) ++at;
    if (at == count || docs[at] != doc) return 0;
    return contribution(list->weight, tfs[at], list->norms[std::min<std::size_t>(list->lengths[doc], list->norms.size() - 1)]);
  }
};

bool any_allowed(const Bitmap& allowed, std::uint32_t begin, std::uint32_t end) {
  const auto& words = allowed.words();
  const std::size_t last = (end + 63) / 64;
  for (std::size_t w = begin / 64; w < last; ++w)
    if (words[w]) return true;
  return false;
}

}  // namespace

std::vector<RankedChunk> rank_pruned(std::span<const ScoredList> lists, std::uint32_t chunk_count, const RankOptions& options) {
  TopChunks top(options);
  std::vector<std::unique_ptr<Cursor>> cursors;
  for (const ScoredList& list : lists)
    if (list.list.size() > 0) cursors.push_back(std::make_unique<Cursor>(list));
  std::vector<Cursor*> order;
  for (auto& cursor : cursors) order.push_back(cursor.get());

  Window window(chunk_count);
  std::vector<RankedChunk> candidates;
  std::vector<std::uint32_t> rest;  // rest[i]: the sum of window bounds of order[0..i)
  for (std::uint32_t begin = 0; begin < chunk_count;) {
    std::uint32_t next = UINT32_MAX;
    for (Cursor* cursor : order)
      if (next > begin) next = std::min(next, cursor->next(begin));
    if (next >= chunk_count) break;
    begin = std::max(begin, next);
    const std::uint32_t end = std::min(chunk_count, begin + kWindow);
    if (options.allowed && !any_allowed(*options.allowed, begin, end)) {
      begin = end;
      continue;
    }
    for (Cursor* cursor : order) cursor->enter(begin, end);
    std::sort(order.begin(), order.end(), [](const Cursor* a, const Cursor* b) { return a->window_bound < b->window_bound; });
    rest.assign(1, 0);
    std::size_t essential = 0;  // order[essential..] are essential
    for (const Cursor* cursor : order) {
      rest.push_back(rest.back() + cursor->window_bound);
      if (rest.back() < top.threshold()) ++essential;
    }
    if (essential < order.size()) {
      window.move_to(begin);
      for (std::size_t i = essential; i < order.size(); ++i) order[i]->add(begin, end, window);
      candidates.clear();
      // What may enter with the rest of the lists.
      window.collect(end - begin, top.threshold() > rest[essential] ? top.threshold() - rest[essential] : 1, options.allowed, candidates);
      if (essential > 0)  // looked up in ascending order
        std::sort(candidates.begin(), candidates.end(), [](const RankedChunk& a, const RankedChunk& b) { return a.chunk < b.chunk; });
      for (std::size_t i = essential; i-- > 0 && !candidates.empty();) {
        Cursor& cursor = *order[i];
        std::size_t kept = 0;
        for (RankedChunk candidate : candidates) {
          if (candidate.score + rest[i + 1] < top.threshold()) continue;
          if (candidate.score + rest[i] + cursor.bound_at(candidate.chunk) >= top.threshold()) {
            if (cursor.block < cursor.bounds.size()) candidate.score += cursor.score_at(candidate.chunk);
          } else {
            continue;
          }
          if (candidate.score + rest[i] >= top.threshold()) candidates[kept++] = candidate;
        }
        candidates.resize(kept);
      }
      top.push_all(candidates);
    }
    begin = end;
  }
  return top.take();
}

bool prunes(std::uint64_t postings, const RankOptions& options) {
  // Bounds pay where there is much to skip: tests/bench/rank_bench.cc says from about here on.
  constexpr std::uint64_t kPruneAbove = 60'000;
  return postings >= kPruneAbove && options.top <= postings / 16;
}

std::vector<RankedChunk> rank(std::span<const ScoredList> lists, std::uint32_t chunk_count, const RankOptions& options) {
  std::uint64_t postings = 0;
  for (const ScoredList& list : lists) postings += list.list.size();
  return prunes(postings, options) ? rank_pruned(lists, chunk_count, options) : rank_exhaustive(lists, chunk_count, options);
}

}  // namespace ragline
