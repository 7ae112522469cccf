#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "eval/qrels.h"
#include "eval/run.h"

// Preferences: judges say which of two documents is better, not how good each is. trec_eval's
// measures of them (-R prefs and qrels_prefs), after the comments in its form_prefs_counts.c.
//
// A judge's documents in one set are ordered by level; each is preferred to all of a lower level. A
// judge with several sets has a partial order, closed under transitivity: A over B in one set and B
// over C in another give A over C. A ranking keeps a preference when the better document comes
// first; a document that was not retrieved comes after all that were.
namespace ragline {

// Places of judged documents: retrieved ones by rank from 0, then the others.
struct JudgePreferences {
  // Of both retrieved, of one retrieved ("implied"), of none.
  std::uint64_t kept = 0, possible = 0, implied_kept = 0, implied_possible = 0, unseen = 0;
  std::uint64_t relevant = 0, relevant_retrieved = 0;        // levels above 0
  std::uint64_t nonrelevant = 0, nonrelevant_retrieved = 0;  // level 0
  // One set: places by level, best level first. Several sets: empty, and the matrix is used.
  std::vector<std::vector<std::uint32_t>> classes;
  std::vector<std::uint8_t> preferred;  // [better * judged + worse]
  std::vector<double> levels;           // by place; -1 where this judge says nothing
};

struct PreferenceCounts {
  std::uint32_t judged = 0, retrieved = 0;
  std::vector<JudgePreferences> judges;
  std::vector<std::uint16_t> pairs;  // judges who prefer, [better * judged + worse]
};

// Hits are ordered by score, and by ascending document id where scores are equal (not descending,
// as everywhere else: that is trec_eval's rule here); those after most_hits are left out.
// kData where a judge puts one document on two levels of a set, calls it both 0 and not, or
// contradicts itself.
// Cost: the square of the judged documents, their cube for a judge with several sets.
Result<PreferenceCounts> count_preferences(const JudgedQuery& judged, std::vector<RunHit> hits,
                                           std::uint64_t most_hits);

// The value of a trec_eval measure that begins with "prefs_".
double preference_value(std::string_view measure, const PreferenceCounts& counts);

}  // namespace ragline
