#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/analyzer.h"
#include "core/result.h"
#include "index/snapshot.h"
#include "record/record.h"

// Light reranking of the best few by how the query's words stand in a passage. All weights by idf; every signal is in 0 ... 1.
//
//   window  largest idf sum of different query words within 20 words, of that of all query words that the index knows
//   title   idf sum of the title's words that the query has, of that of all its words; 0 without a title
//   pairs   neighbouring words of the query that are neighbours here too, in that order, weighted by the smaller idf
//   exact   identifiers of the query (order_id, updateOrderStatus, 1.0.21, a@b.example) that stand here as they are written
//
// A hit's score becomes  score / best score + .5 window + .4 title + .2 pairs + 2 exact: an exact identifier outweighs everything else.
namespace ragline {

struct QueryWord {
  std::vector<std::string> terms;  // without field and language; in several languages perhaps
  double idf = 0;                  // 0: the index does not know it
};

// A query, for signals.
struct QueryWords {
  std::vector<QueryWord> words;          // in their order, stop words left out
  std::vector<std::string> identifiers;  // case-folded
};
// Words that are written like names in code, versions or addresses.
bool is_identifier(std::string_view word);

struct Signals {
  double window = 0, title = 0, pairs = 0, exact = 0;
  double sum() const { return 0.5 * window + 0.4 * title + 0.2 * pairs + 2 * exact; }
};

// How many hits are looked at; more changed nothing.
inline constexpr std::size_t kSignalDepth = 20;

// One object per thread.
class SignalReader {
 public:
  // `chunks`: as idf counts them. `governed`: nothing is counted that the caller might not see; words of titles that the query does
  // not have are taken to be rare then. Both outlive the reader.
  SignalReader(const Snapshot& snapshot, double chunks, bool governed, const QueryWords& query);
  Signals read(const Chunk& chunk);

 private:
  struct Place {
    std::uint32_t position, word;
  };
  double idf(Language language, const std::string& term);
  std::vector<Place> places(std::string_view text, Language language, double* total_idf, std::uint64_t& identifiers);

  const Snapshot& snapshot_;
  double chunks_;
  bool governed_;
  const QueryWords& query_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> word_of_;
  Analyzer analyzer_;
  std::vector<RawWord> raw_;
  Expansion expansion_;
};

}  // namespace ragline
