#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "index/filter.h"
#include "index/snapshot.h"
#include "search/lists.h"
#include "search/plan.h"

// BM25's collection statistics for a query: how rare a leaf is, and how long texts are.
//
// An index may mix languages. A word's rarity is judged within the language of the chunk, so that "die" is an article
// in German text and a verb in English; with few chunks of a language that judgement is drawn towards the word's share of the whole index,
// as if kPrior more chunks with that share were there:
//
//   share = (df_language + kPrior * df / N) / (N_language + kPrior)          idf = ln(1 + (N - d + .5) / (d + .5)),  d = share * N
//
// With one language share is df / N and idf is the usual one exactly. Average lengths are drawn the same way.
//
// The query has a language too. Names and numbers stand in texts of every language, so without more an English question would find the German
// translation of its answer as easily. Each language's likelihood of the query's words (naive Bayes over the shares above) gives a factor between kForeign
// and 1 on what chunks of that language score: the most likely language has 1, and words that say nothing about language
// leave all factors near 1.
namespace ragline {

inline constexpr double kPrior = 50;
inline constexpr double kForeign = 0.5;

double bm25_idf(double doc_freq, double chunks);

class Weights {
 public:
  // Statistics over the whole index, or over what governance lets the caller see.
  Weights(const Snapshot& snapshot, const ScopeBitmaps& scope);

  double chunks() const { return static_cast<double>(chunks_); }
  const Statistics& statistics() const { return statistics_; }
  std::vector<Language> languages() const;
  std::vector<Field> fields() const;  // those with any text
  double average_length(Language language, Field field) const;

  // Chunks that hold each leaf, summed over segments, and its idf; by leaf.
  struct LeafWeight {
    std::uint64_t doc_freq = 0;
    double idf = 0;
    double language_factor = 1;
  };
  std::vector<LeafWeight> weigh(const Plan& plan, std::vector<SegmentLists>& lists) const;

 private:
  double chunks_of(Language language) const;
  std::uint64_t count_visible(const PostingList& list, std::size_t segment) const;
  double idf(Language language, double doc_freq, double doc_freq_all) const;
  double share(Language language, double doc_freq, double doc_freq_all) const;
  void set_language_factors(const Plan& plan, std::vector<LeafWeight>& weights) const;

  const Snapshot& snapshot_;
  const ScopeBitmaps& scope_;
  Statistics statistics_;
  std::uint64_t chunks_ = 0;
};

}  // namespace ragline
