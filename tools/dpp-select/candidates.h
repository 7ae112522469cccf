#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "dpp-select/groups.h"
#include "dpp-select/words.h"
#include "select/pool.h"

namespace ragline {

// What `model` is where hits are compared by their words.
inline constexpr std::string_view kWordsModel = "words-512";

// The hits of one query that can be chosen from, as a pool. Not moved: the pool points into it.
struct Candidates {
  std::vector<std::uint32_t> hits;  // by candidate: place in the group
  std::vector<float> vectors;
  std::vector<float> original;  // as the records have them, where an adapter has changed them
  std::vector<double> scores;   // descending; what --quality says
  Pool pool;
  bool prepared = false;              // an adapter has set the pool's relevance
  std::string model;                  // of the vectors, where the records say
  std::uint64_t duplicates = 0;       // hits that repeat an evidence id
  std::vector<std::string> warnings;  // for the end record
};

struct CandidateOptions {
  std::string quality;     // "score", or an arm of `scores`
  bool from_text = false;  // vectors of words, whatever the records hold
  bool aspects = false;
};

// Takes the group's hits apart.
//   Order     by quality, equal ones as they came. With quality "score" it is the order of the
//             stream: where the scores do not descend with it (a list that was reranked), the ranks
//             take their place, with a warning.
//   Vectors   of the records when all have one; of the words when none has (a warning says so).
//   Errors    kData for vectors that are missing here and there, cannot be used, or differ in
//             dimension or model, and for a missing arm. With --skip-bad such hits are left out.
Status take_candidates(GroupReader& reader, const QueryGroup& group,
                       const CandidateOptions& options, Words& words, Candidates& out);

// What an adapter weighs of them (quality.h). query: its vector at unit length, or empty.
std::vector<double> features_of(const QueryGroup& group, const Candidates& candidates,
                                std::span<const float> query);

}  // namespace ragline
