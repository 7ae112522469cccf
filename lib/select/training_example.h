#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/random.h"
#include "select/loss.h"

// One query to learn from, or to measure on.
namespace ragline {

struct TrainingExample {
  std::string query_id;
  std::uint32_t hops = 0;  // pieces of gold evidence, found or not
  std::size_t dimensions = 0;
  std::vector<float> vectors;     // by candidate, unit length
  std::vector<float> query;       // of unit length; empty where the records have none
  std::vector<double> relevance;  // z-scores, descending
  std::vector<double> features;   // quality_features of the above
  // The pieces of gold evidence that each candidate holds, 0 to hops - 1.
  std::vector<std::vector<std::uint32_t>> pieces;
  // What a candidate is called across queries; one each.
  std::vector<std::uint64_t> names;

  std::size_t size() const { return relevance.size(); }
};

// For each piece the first candidate that holds it, each candidate once; ascending.
CandidateSet positive_set(const TrainingExample& example);

// Sets of the positive set's size to tell it from; none equals it. The note of what worked best is
// half swap, half similarity.
enum class NegativeKind {
  kMixed,       // swap and similarity in turn
  kUniform,     // any candidates but the positives
  kSwap,        // one positive or more kept, the others replaced
  kSimilarity,  // the positives excluded, the relevant likelier
  kNear         // one positive replaced by a candidate near to it, the rest kept
};

// `count` sets; fewer when the pool has no others. The pool must be larger than the positive set.
std::vector<CandidateSet> draw_negatives(const TrainingExample& example,
                                         const CandidateSet& positive, NegativeKind kind,
                                         std::size_t count, Random& random);

// How good an order of candidates is by what it finds: a piece counts once, at the first candidate
// that holds it.
struct Quality {
  double ndcg10 = 0, recall10 = 0, recall4 = 0, hits10 = 0, hits4 = 0;
};
inline constexpr std::size_t kMeasured = 10;  // candidates looked at
Quality quality_of(const TrainingExample& example, const std::vector<std::uint32_t>& order);

}  // namespace ragline
