#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/bitmap.h"
#include "lexical/postings.h"

// Top-k ranking by a sum of BM25 contributions, in one segment.
//
// Scores are integers: a term's contribution in a chunk is
//
//   round(weight * tf / (tf + norms[length]))      weight = boost * idf * 2^scale_bits,  norms[l] = k1 * (1 - b + b * l / average)
//
// so that sums do not depend on the order of adding, and every algorithm gives exactly the same hits, scores and ties.
// (BM25 as in Lucene since 8: Robertson and Zaragoza 2009, eq. 3.15, without the constant factor k1 + 1.)
namespace ragline {

// A list decoded once and kept: its chunks, and tf / (tf + norms[length]) for each, which is all of a contribution but the weight.
struct FlatList {
  std::vector<std::uint32_t> docs;
  std::vector<float> impacts;
  // The largest impacts, in descending order: the k-th bounds the k-th best score of any query with this list from below.
  static constexpr std::size_t kBest = 128;
  std::vector<float> best;
};

// One summand of the score: a list and how its postings count.
struct ScoredList {
  PostingList list;
  float weight = 0;                     // > 0; the sum over all lists of a query is below 2^31
  LengthColumn lengths;
  std::span<const float> norms;         // by length; a length past the end counts as the last
  const FlatList* flat = nullptr;       // the same list, decoded, where the caller keeps it; rank_exhaustive reads it instead
};
FlatList flatten(const ScoredList& list);

// BM25's norms for lengths 0..longest (at most 65536 entries).
std::vector<float> bm25_norms(std::uint32_t longest, double average_length, double k1, double b);
// The contribution of one posting: the definition that every fast path must equal.
std::uint32_t contribution(float weight, std::uint32_t tf, float norm);

struct RankedChunk {
  std::uint32_t chunk;
  std::uint32_t score;
  bool operator==(const RankedChunk&) const = default;
};

struct RankOptions {
  std::uint32_t top = 10;
  // Chunks below this score are not wanted; one at it may be. At least 1. Carries the k-th score from one segment to the next.
  std::uint32_t floor = 1;
  const Bitmap* allowed = nullptr;                 // null: every chunk
  std::span<const std::uint32_t> tie_rank;         // chunk -> its place in the order of ids; empty: its ordinal
  std::span<const std::uint32_t> first_chunk;      // collapse: chunk ordinals at which documents begin, ascending, with
                                                   // the chunk count at the end; a document's best chunk stands for it. Empty: none.
};

// The best chunks: by score, highest first, then by tie rank. Every chunk that scores above the last one returned is
// returned. Deterministic.
//   rank_exhaustive  adds up every posting: best below about 200,000 chunks
//   rank_pruned      block-max MaxScore (Turtle and Flood 1995; Ding and Suel 2011) over windows of chunks
//   rank             whichever suits the segment
std::vector<RankedChunk> rank_exhaustive(std::span<const ScoredList> lists, std::uint32_t chunk_count, const RankOptions& options);
std::vector<RankedChunk> rank_pruned(std::span<const ScoredList> lists, std::uint32_t chunk_count, const RankOptions& options);
std::vector<RankedChunk> rank(std::span<const ScoredList> lists, std::uint32_t chunk_count, const RankOptions& options);
// What rank() chooses for lists of so many postings together.
bool prunes(std::uint64_t postings, const RankOptions& options);

}  // namespace ragline
