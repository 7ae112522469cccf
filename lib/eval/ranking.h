#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "eval/qrels.h"
#include "eval/run.h"

// One query's hits in order, each with its grade: what every measure looks at.
namespace ragline {

// Grades of documents without a judgement.
inline constexpr double kUnpooled = -1;        // not among the judgements
inline constexpr double kPooledUnjudged = -2;  // there, with a grade below 0

// What orders hits of equal score. The order between queries' equal documents never depends on the
// machine or on the number of threads.
enum class Ties {
  kDocidDesc,  // by document id, descending bytes, as trec_eval does
  kRank,       // by the rank column, then the id
  kInput,      // as they come in the file
  kExpected    // ordered as kDocidDesc, and measures take the mean over all orders (expected.h)
};

struct RankingOptions {
  Dialect dialect = Dialect::kOurs;
  Ties ties = Ties::kDocidDesc;
  double level = 1;                      // least grade that is relevant
  std::uint64_t most_hits = UINT64_MAX;  // hits after these are left out
  bool judged_only = false;              // unjudged hits are left out, the others close up
  std::uint64_t collection_size = 0;     // documents in the collection; utility only
  bool aspects = false;                  // whether any measure asks for them
};

struct TieGroup {
  std::uint32_t begin = 0, end = 0;  // ranks from 0, half-open; at least two
};

struct Ranking {
  std::vector<double> grades;  // by rank; below 0: kUnpooled or kPooledUnjudged
  std::vector<TieGroup> ties;  // of the whole list, in order
  std::vector<double> ideal;   // every judged grade of the query from 0 up, descending
  double level = 1;
  std::uint64_t relevant = 0;                       // judged documents at or above level
  std::uint64_t relevant_retrieved = 0;             // of them, in the list
  std::uint64_t unpooled = 0, pooled_unjudged = 0;  // in the list
  std::uint64_t collection_size = 0;
  std::string_view tag;  // of the run

  // Pieces of evidence, or subtopics: those that each hit holds, and how many there are. A hit with
  // evidence has grade 1 when some of it was not seen before, else 0; the ideal is one piece a
  // rank.
  std::vector<std::span<const std::uint32_t>> aspects;
  // The same of every judged document that holds any: what an ideal list is made of.
  std::vector<std::span<const std::uint32_t>> judged_aspects;
  std::uint32_t aspect_count = 0;
  std::uint32_t hops = 0;  // how many are needed; aspect_count when the gold record does not say

  // Pairs of neighbouring hits with equal scores, and whether a group of them goes over rank k.
  std::uint64_t tied_pairs() const;
  bool tie_straddles(std::size_t k) const;
};

// Turns the hits of one query after the other into rankings. Owns the memory that they need, so one
// ranking is valid until the next.
//   Cost    the order is looked for first: a sorted list of n hits costs O(n), others O(n log n).
//   Errors  kData for a document that comes twice among the hits (or, in trec_eval's dialects,
//   among
//           the judgements).
class Ranker {
 public:
  explicit Ranker(RankingOptions options) : options_(options) {}

  // query is nullptr for a query without hits: an empty ranking.
  Result<const Ranking*> rank(const JudgedQuery& judged, const Run& run, const Run::Query* query);
  // Reads and checks the hits of a query without judgements.
  Status check(const Run& run, const Run::Query& query);

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t index = 0;  // into the judgements, or behind them into the hits, plus 1; 0: empty
  };
  Status look_up(const JudgedQuery& judged, const Run& run, const Run::Query* query);
  Slot& find(std::string_view document, const JudgedQuery& judged);
  void order();
  void note_aspects(const JudgedQuery& judged);
  void note_evidence(const JudgedQuery& judged);
  void fill(const JudgedQuery& judged);

  struct Ranked {
    RunHit hit;
    std::uint32_t judgement = 0;  // plus 1; 0: none
  };
  RankingOptions options_;
  std::vector<RunHit> hits_;
  std::vector<Ranked> ranked_;
  std::vector<Slot> slots_;
  std::vector<bool> taken_;  // judgements whose document is among the hits
  std::vector<std::string_view> groups_;
  std::vector<std::uint32_t> aspect_ids_;  // of one judgement after the other
  Ranking ranking_;
};

}  // namespace ragline
