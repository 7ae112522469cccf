#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "lexical/score.h"

namespace ragline {

// The sums of a window of neighbouring chunks, small enough for the first-level cache, and the
// places where they are not 0: where few postings fall into a window, only those are looked at.
class Window {
 public:
  static constexpr std::uint32_t kSize = 8192;

  explicit Window(std::uint32_t chunk_count) { std::fill_n(sums_, std::min(chunk_count + kScan, kSize), 0u); }

  // The first chunk of the window. All sums are 0 then.
  void move_to(std::uint32_t base) { base_ = base; }

  // Postings of the window: chunks and what each adds.
  void add_postings(const std::uint32_t* docs, const std::uint32_t* scores, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t place = docs[i] - base_;
      sums_[place] += scores[i];
      places_[used_] = static_cast<std::uint16_t>(place);
      used_ += used_ < kSparse;
    }
  }
  // A run of a flat list within the window.
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
  // Up to so many postings their places are looked at one by one; beyond, all sums are.
  static constexpr std::size_t kSparse = kSize / 8;

  std::uint32_t base_ = 0;
  std::uint32_t sums_[kSize];
  std::uint16_t places_[kSparse + 1];
  std::size_t used_ = 0;  // of places_; kSparse when there are more than it holds
};

}  // namespace ragline
