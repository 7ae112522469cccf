#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analysis/analyzer.h"
#include "core/result.h"
#include "index/filter.h"
#include "index/snapshot.h"
#include "search/lists.h"
#include "search/plan.h"
#include "search/signals.h"
#include "search/weights.h"

// Sparse retrieval over a snapshot: query text in, the best chunks out.
namespace ragline {

struct SearchOptions {
  std::uint32_t top = 10;
  std::uint32_t offset = 0;         // leave out so many of the best
  double min_score = 0;
  double k1 = 0.9, b = 0.4;
  FieldBoosts fields;
  bool collapse_documents = false;  // a document's best chunk stands for it
  bool unknown_words = true;        // fill SearchResult::unknown
};

struct ChunkHit {
  std::uint32_t segment = 0, chunk = 0;
  double score = 0;
};

// One leaf of the query, for --explain and hints.
struct LeafReport {
  std::string label;
  Language language;
  Field field;
  std::uint64_t doc_freq = 0;
  double idf = 0, boost = 0;
};

struct SearchResult {
  std::vector<ChunkHit> hits;         // best first; equal scores by (document id, version, ordinal)
  std::vector<std::string> words;     // the query's words that were looked for
  std::vector<std::string> dropped;   // its stop words
  std::vector<std::string> unknown;   // of the words, as typed, what has no posting that the caller may see
  bool only_exclusions = false;
  bool cut = false;                   // a prefix or fuzzy word stood for more terms than are looked up
};

// What one leaf added to a hit.
struct Contribution {
  LeafReport leaf;
  std::uint32_t tf = 0, length = 0;
  double average_length = 0, score = 0;
};

// Threads: one object per thread; the snapshot may be shared.
class Searcher {
 public:
  // `scope` comes from apply_scope on the same snapshot. Both must outlive the searcher.
  Searcher(const Snapshot& snapshot, const ScopeBitmaps& scope);
  ~Searcher();

  // kCorrupt when a list of the index turned out damaged.
  Result<SearchResult> search(std::string_view query, const SearchOptions& options);
  // How a hit of the last search came by its score; the scores add up to the hit's.
  std::vector<Contribution> explain(const ChunkHit& hit);
  // The terms of the last query that add to scores, without field and language: what to highlight.
  std::unordered_set<std::string> terms() const;
  // The words of the last query, for signals.
  QueryWords query_words();
  // What the last query lets retrieval by meaning find, by segment: what is in scope, and meets its musts and exclusions. nullopt is
  // all chunks of a segment.
  std::vector<std::optional<Bitmap>> allowed();
  // Whether statistics are counted over what the caller may see alone.
  bool governed() const;
  // Chunks that match the last query within the scope, by segment.
  std::vector<Bitmap> matching();
  const Weights& weights() const { return weights_; }

 private:
  struct Run;
  std::string_view typed_form(const Leaf& leaf);
  void find_unknown(std::vector<std::string>& unknown);
  std::span<const float> norms(Language language, Field field, double k1, double b);

  const Snapshot& snapshot_;
  const ScopeBitmaps& scope_;
  Weights weights_;
  std::vector<Language> languages_;
  std::vector<Field> fields_;
  std::array<std::uint32_t, kTextFieldCount> longest_{};
  Analyzer analyzer_;
  std::map<std::pair<Language, Field>, std::vector<float>> norms_;
  double norms_k1_ = -1, norms_b_ = -1;
  std::vector<ListCache> caches_;  // by segment
  ExpansionCache expansions_;
  std::unique_ptr<Run> run_;
};

// (document_id, version, ordinal): the order of equal scores.
bool id_less(const Snapshot& snapshot, const ChunkHit& a, const ChunkHit& b);

}  // namespace ragline
