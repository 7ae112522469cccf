#pragma once
#include <cstdint>

#include "lexical/rank.h"

namespace ragline {

// Contributions of a decoded block: out[i] = contribution(weight, tfs[i], norm of docs[i]).
void score_block(const ScoredList& list, const std::uint32_t* docs, const std::uint32_t* tfs, std::uint32_t count, std::uint32_t* out);

// sums[docs[i] - base] += contribution, for a run of a flat list.
void add_flat(float weight, const std::uint32_t* docs, const float* impacts, std::size_t count, std::uint32_t base, std::uint32_t* sums);

// Whether any of kScan sums is at least `least` (1 to 2^31 - 1).
inline constexpr std::uint32_t kScan = 64;
bool any_at_least(const std::uint32_t* sums, std::uint32_t least);

// Upper bound on the contribution of every posting of a block with this frontier.
std::uint32_t frontier_bound(const ScoredList& list, const ImpactPair (&frontier)[kFrontier]);

// The k best chunks seen. Chunks must come in ascending order (collapsing depends on it).
class TopChunks {
 public:
  explicit TopChunks(const RankOptions& options);
  // A chunk scoring below this can't enter. A chunk at it may, by its tie rank.
  std::uint32_t threshold() const { return threshold_; }
  void push(std::uint32_t chunk, std::uint32_t score);
  // Chunks in any order, all behind those pushed before. Changes the vector.
  void push_all(std::vector<RankedChunk>& found);
  std::vector<RankedChunk> take();

 private:
  struct Entry {
    std::uint32_t score, tie, chunk;
    // Heap order: the worst entry is on top.
    bool better_than(const Entry& other) const { return score != other.score ? score > other.score : tie < other.tie; }
  };
  void insert(Entry entry);
  void flush_document();
  bool same_document(std::uint32_t a, std::uint32_t b) const;

  const RankOptions& options_;
  std::uint32_t threshold_;
  std::vector<Entry> heap_;
  Entry best_of_document_{};
  bool has_document_ = false;
  std::uint32_t last_chunk_ = 0;  // the last one of the document in hand
  std::uint32_t spare_ = 0;       // chunks beside the first of their document
};

}  // namespace ragline
