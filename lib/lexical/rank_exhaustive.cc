#include <algorithm>
#include <memory>
#include <utility>

#include "lexical/score.h"

// Every posting of every list is added to an accumulator, a window of chunks at a time, so that accumulators stay in the
// first-level cache whatever the size of the segment. No bounds, no order of lists: the sum of integers is the same in any order.

namespace ragline {

namespace {

constexpr std::uint32_t kWindow = 8192;
// Up to so many postings in a window their places are looked at one by one afterwards; beyond, all sums of the window are.
constexpr std::size_t kSparse = kWindow / 8;

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

// The sums of one window, and the places where they are not 0.
class Window {
 public:
  explicit Window(std::uint32_t chunk_count) { std::fill_n(sums_, std::min(chunk_count + kScan, kWindow), 0u); }

  void move_to(std::uint32_t base) { base_ = base; }

  void add_postings(const std::uint32_t* docs, const std::uint32_t* scores, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t place = docs[i] - base_;
      sums_[place] += scores[i];
      places_[used_] = static_cast<std::uint16_t>(place);
      used_ += used_ < kSparse;
    }
  }
  void add_run(const ScoredList& list, std::size_t from, std::size_t count) {
    const std::uint32_t* docs = list.flat->docs.data() + from;
    add_flat(list.weight, docs, list.flat->impacts.data() + from, count, base_, sums_);
    if (used_ + count >= kSparse) {
      used_ = kSparse;
    } else {
      for (std::size_t i = 0; i < count; ++i) places_[used_++] = static_cast<std::uint16_t>(docs[i] - base_);
    }
  }

  // What scores at least `least`, once a chunk, in no order; all sums are 0 afterwards.
  void collect(std::uint32_t size, std::uint32_t least, const Bitmap* allowed, std::vector<RankedChunk>& out) {
    auto take = [&](std::uint32_t place) {
      const std::uint32_t score = std::exchange(sums_[place], 0);
      if (score >= least && (!allowed || allowed->test(base_ + place))) out.push_back({base_ + place, score});
    };
    if (used_ < kSparse) {
      for (std::size_t i = 0; i < used_; ++i) take(places_[i]);
    } else {
      for (std::uint32_t group = 0; group < size; group += kScan) {
        if (any_at_least(sums_ + group, least))
          for (std::uint32_t place = group; place < group + kScan; ++place) take(place);
        std::fill_n(sums_ + group, kScan, 0u);
      }
    }
    used_ = 0;
  }

 private:
  std::uint32_t base_ = 0;
  std::uint32_t sums_[kWindow];
  std::uint16_t places_[kSparse + 1];
  std::size_t used_ = 0;  // of places_; kSparse when there are more than it holds
};

// The documents' best chunks may be so many fewer than their chunks.
std::size_t spare_chunks(std::uint32_t chunk_count, const RankOptions& options) {
  return options.first_chunk.empty() ? 0 : chunk_count - (options.first_chunk.size() - 1);
}

// A score that `top` chunks reach: those that are best in one list alone. Nothing below it need be looked at. Holds only where every
// chunk may be a hit. Where documents stand for their chunks, some of the best may be of one document: as many more are counted as there are
// chunks beside the first of their document.
std::uint32_t sure_floor(std::span<const ScoredList> lists, std::uint32_t chunk_count, const RankOptions& options) {
  std::uint32_t floor = options.floor;
  const std::size_t needed = options.top + spare_chunks(chunk_count, options);
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

// Leaves what may still be among the best `needed`, and that in the order of chunks.
void shorten(std::vector<RankedChunk>& found, std::size_t needed) {
  if (found.size() / 2 > needed && needed > 0) {
    const auto last = found.begin() + static_cast<std::ptrdiff_t>(needed) - 1;
    std::nth_element(found.begin(), last, found.end(), [](const RankedChunk& a, const RankedChunk& b) { return a.score > b.score; });
    const std::uint32_t least = last->score;
    std::erase_if(found, [&](const RankedChunk& hit) { return hit.score < least; });
  }
  std::sort(found.begin(), found.end(), [](const RankedChunk& a, const RankedChunk& b) { return a.chunk < b.chunk; });
}

}  // namespace

std::vector<RankedChunk> rank_exhaustive(std::span<const ScoredList> lists, std::uint32_t chunk_count, const RankOptions& given) {
  RankOptions options = given;
  options.floor = sure_floor(lists, chunk_count, given);
  const std::size_t needed = options.top + spare_chunks(chunk_count, options);
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
    const std::uint32_t end = std::min(chunk_count, base + kWindow);
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
    shorten(found, needed);
    for (const RankedChunk& hit : found) top.push(hit.chunk, hit.score);
    base = end;
  }
  return top.take();
}

}  // namespace ragline
