#include "search/searcher.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/text.h"
#include "lexical/rank.h"
#include "lexical/score.h"
#include "search/lists.h"

namespace ragline {

// The state of one query, kept for explain() and matching().
struct Searcher::Run {
  Plan plan;
  SearchOptions options;
  std::vector<SegmentLists> lists;
  std::vector<Weights::LeafWeight> weights;
  std::vector<float> scaled;  // by leaf; 0 for those that add nothing
  double scale = 1;
  std::vector<std::optional<Bitmap>> gated;  // by segment: what meets the query's own condition, within the scope
  std::vector<const Bitmap*> allowed;        // by segment: what may be a hit; null is all
};

Searcher::Searcher(const Snapshot& snapshot, const ScopeBitmaps& scope)
    : snapshot_(snapshot), scope_(scope), weights_(snapshot, scope), languages_(weights_.languages()), fields_(weights_.fields()) {
  for (const auto& segment : snapshot.segments)
    for (Field field : kTextFields) {
      std::uint32_t& longest = longest_[field_index(field)];
      longest = std::max(longest, segment->postings().lengths(field).longest());
    }
  for (const auto& segment : snapshot.segments) caches_.emplace_back(segment->postings());
}

Searcher::~Searcher() = default;

std::span<const float> Searcher::norms(Language language, Field field, double k1, double b) {
  if (k1 != norms_k1_ || b != norms_b_) {
    norms_.clear();
    for (ListCache& cache : caches_) cache.forget_flat();
    norms_k1_ = k1;
    norms_b_ = b;
  }
  std::vector<float>& cached = norms_[{language, field}];
  if (cached.empty()) cached = bm25_norms(longest_[field_index(field)], weights_.average_length(language, field), k1, b);
  return cached;
}

namespace {

// The largest power of two that keeps the sum of weights below 2^30, so that integer scores neither overflow nor lose what floats hold.
// Decoded lists pay where a segment's words come up again and again.
constexpr std::uint32_t kSmallSegment = 1 << 15;
// Postings kept decoded from one query to the next, over a segment: 64 MB.
constexpr std::size_t kKeptPostings = std::size_t{8} << 20;

double score_scale(double total) { return total > 0 ? std::exp2(std::floor(std::log2(std::exp2(30) / total))) : 1; }

}  // namespace

// Where the term of a leaf stands in the words of the query.
std::string_view Searcher::typed_form(const Leaf& leaf) {
  for (const std::string& word : run_->plan.words)
    for (const Term& term : expansions_.at(analyzer_, word, leaf.language).terms)
      if (term.text == leaf.label) return std::string_view(word).substr(term.begin, term.end - term.begin);
  return leaf.label;
}

// Words none of whose leaves has a posting.
void Searcher::find_unknown(std::vector<std::string>& unknown) {
  const Run& run = *run_;
  std::map<std::uint32_t, bool> known;  // word number -> has a posting
  for (std::size_t i = 0; i < run.plan.leaves.size(); ++i) {
    const Leaf& leaf = run.plan.leaves[i];
    if (leaf.boost > 0 && leaf.kind == Leaf::Kind::kTerms && leaf.field == Field::kContent)
      known[leaf.word] = known[leaf.word] || run.weights[i].doc_freq > 0;
  }
  for (std::size_t i = 0; i < run.plan.leaves.size(); ++i) {
    const Leaf& leaf = run.plan.leaves[i];
    const auto entry = known.find(leaf.word);
    if (entry == known.end() || entry->second || leaf.field != Field::kContent) continue;
    unknown.emplace_back(typed_form(leaf));
    known.erase(entry);
  }
}

Result<SearchResult> Searcher::search(std::string_view query, const SearchOptions& options) {
  run_ = std::make_unique<Run>();
  Run& run = *run_;
  run.options = options;
  run.plan = make_plan(parse_query(query), languages_, fields_, options.fields, analyzer_, expansions_);
  for (std::size_t s = 0; s < snapshot_.segments.size(); ++s) {
    caches_[s].trim(kKeptPostings);
    const bool limited = s < scope_.visible.size() && scope_.visible[s];
    run.lists.emplace_back(*snapshot_.segments[s], run.plan, caches_[s], limited ? &*scope_.visible[s] : nullptr);
  }
  run.weights = weights_.weigh(run.plan, run.lists);

  SearchResult result;
  result.words = run.plan.words;
  result.dropped = run.plan.dropped;
  result.only_exclusions = run.plan.only_exclusions;
  auto weight_of = [&](std::size_t leaf) {
    return run.weights[leaf].doc_freq > 0 ? run.plan.leaves[leaf].boost * run.weights[leaf].idf * run.weights[leaf].language_factor : 0;
  };
  double total = 0;
  for (std::size_t i = 0; i < run.plan.leaves.size(); ++i) total += weight_of(i);
  run.scale = score_scale(total);
  run.scaled.resize(run.plan.leaves.size());
  for (std::size_t i = 0; i < run.plan.leaves.size(); ++i)
    // A word that every chunk holds weighs next to nothing, yet its chunks match: at least one unit a posting.
    if (run.weights[i].doc_freq > 0 && run.plan.leaves[i].boost > 0)
      run.scaled[i] = std::max(static_cast<float>(weight_of(i) * run.scale), 256.0f);

  const std::uint32_t wanted = options.top > UINT32_MAX - options.offset ? UINT32_MAX : options.top + options.offset;
  const double least = std::ceil(options.min_score * run.scale);
  std::uint32_t floor = least >= 1 ? static_cast<std::uint32_t>(std::min(least, 4294967295.0)) : 1;
  struct Found {
    std::uint32_t score;
    ChunkHit hit;
  };
  std::vector<Found> found;
  run.gated.resize(snapshot_.segments.size());
  run.allowed.resize(snapshot_.segments.size());
  for (std::uint32_t s = 0; s < snapshot_.segments.size() && !run.plan.only_exclusions; ++s) {
    const Segment& segment = *snapshot_.segments[s];
    const Bitmap* allowed = s < scope_.chunks.size() && scope_.chunks[s] ? &*scope_.chunks[s] : nullptr;
    if (run.plan.root_gate >= 0) {
      Bitmap matching = run.lists[s].matching(run.plan.gates[static_cast<std::size_t>(run.plan.root_gate)]);
      if (allowed) matching &= *allowed;
      run.gated[s] = std::move(matching);
      allowed = &*run.gated[s];
    }
    run.allowed[s] = allowed;
    std::vector<ScoredList> scored;
    std::vector<ListCache::Entry*> sources;
    std::uint64_t postings = 0;
    for (std::uint32_t i = 0; i < run.plan.leaves.size(); ++i) {
      if (run.scaled[i] <= 0) continue;
      const PostingList& list = run.lists[s].list(i);
      if (list.size() == 0) continue;
      const Leaf& leaf = run.plan.leaves[i];
      scored.push_back({list, run.scaled[i], segment.postings().lengths(leaf.field), norms(leaf.language, leaf.field, options.k1, options.b)});
      sources.push_back(run.lists[s].cached(i));
      postings += list.size();
    }
    RankOptions rank_options;
    rank_options.top = wanted;
    rank_options.floor = floor;
    rank_options.allowed = allowed;
    rank_options.tie_rank = segment.tie_rank();
    if (options.collapse_documents && segment.document_count() < segment.chunk_count()) rank_options.first_chunk = segment.first_chunks();
    if (segment.chunk_count() <= kSmallSegment && !prunes(postings, rank_options))
      for (std::size_t i = 0; i < scored.size(); ++i)
        if (sources[i]) scored[i].flat = caches_[s].flat(*sources[i], scored[i]);
    for (const RankedChunk& hit : rank(scored, segment.chunk_count(), rank_options))
      found.push_back({hit.score, {s, hit.chunk, hit.score / run.scale}});
    if (segment.postings().corrupted())
      return fail(ErrorKind::kCorrupt, cat(snapshot_.where, "/", segment.name(), ": a posting list is damaged: run rag-index check, then build the index anew"));
    if (s > 0 || snapshot_.segments.size() == 1) {
      std::sort(found.begin(), found.end(), [&](const Found& a, const Found& b) {
        return a.score != b.score ? a.score > b.score : id_less(snapshot_, a.hit, b.hit);
      });
      if (found.size() > wanted) found.resize(wanted);
    }
    if (found.size() >= wanted && wanted > 0) floor = std::max(floor, found[wanted - 1].score);
    result.cut = result.cut || run.lists[s].cut();
  }
  for (std::size_t i = options.offset; i < found.size(); ++i) result.hits.push_back(found[i].hit);

  if (options.unknown_words) find_unknown(result.unknown);
  return result;
}

std::vector<Contribution> Searcher::explain(const ChunkHit& hit) {
  std::vector<Contribution> out;
  Run& run = *run_;
  std::uint32_t docs[kBlock], tfs[kBlock];
  for (std::uint32_t i = 0; i < run.plan.leaves.size(); ++i) {
    if (run.scaled[i] <= 0) continue;
    const Leaf& leaf = run.plan.leaves[i];
    const PostingList& list = run.lists[hit.segment].list(i);
    const std::uint32_t block = list.find_block(hit.chunk, 0);
    if (block == list.block_count()) continue;
    const std::uint32_t count = list.decode(block, docs, tfs);
    const std::uint32_t* found = std::lower_bound(docs, docs + count, hit.chunk);
    if (found == docs + count || *found != hit.chunk) continue;
    Contribution part;
    part.leaf = {leaf.label, leaf.language, leaf.field, run.weights[i].doc_freq, run.weights[i].idf, leaf.boost * run.weights[i].language_factor};
    part.tf = tfs[found - docs];
    part.length = snapshot_.segments[hit.segment]->postings().lengths(leaf.field)[hit.chunk];
    part.average_length = weights_.average_length(leaf.language, leaf.field);
    const auto norm = norms(leaf.language, leaf.field, run.options.k1, run.options.b);
    part.score = contribution(run.scaled[i], part.tf, norm[std::min<std::size_t>(part.length, norm.size() - 1)]) / run.scale;
    out.push_back(std::move(part));
  }
  return out;
}

std::unordered_set<std::string> Searcher::terms() const {
  std::unordered_set<std::string> out;
  for (std::size_t i = 0; i < run_->plan.leaves.size(); ++i) {
    if (run_->scaled[i] <= 0) continue;
    const Leaf& leaf = run_->plan.leaves[i];
    for (const std::string& key : leaf.keys) out.insert(key.substr(2));
    for (const Leaf::Slot& slot : leaf.slots)
      for (const std::string& key : slot.keys) out.insert(key.substr(2));
  }
  for (const SegmentLists& lists : run_->lists) out.insert(lists.expanded().begin(), lists.expanded().end());
  return out;
}

QueryWords Searcher::query_words() {
  std::unordered_map<std::string, double> idf;
  for (std::size_t i = 0; i < run_->plan.leaves.size(); ++i)
    if (const Leaf& leaf = run_->plan.leaves[i]; leaf.field == Field::kContent && run_->weights[i].doc_freq > 0)
      idf[leaf.label] = std::max(idf[leaf.label], run_->weights[i].idf);
  QueryWords out;
  for (const std::string& typed : run_->plan.words) {
    const std::size_t first = out.words.size();
    for (const Language language : languages_) {
      std::size_t at = first;
      for (const Term& term : expansions_.at(analyzer_, typed, language).terms) {
        if (term.role != TermRole::kWord) continue;
        if (at == out.words.size()) out.words.emplace_back();
        QueryWord& word = out.words[at++];
        if (std::ranges::find(word.terms, term.text) == word.terms.end()) word.terms.push_back(term.text);
        if (const auto found = idf.find(term.text); found != idf.end()) word.idf = std::max(word.idf, found->second);
      }
    }
    if (is_identifier(typed) && out.identifiers.size() < 64) out.identifiers.push_back(ascii_lower(typed));
  }
  return out;
}

bool Searcher::governed() const {
  return std::ranges::any_of(scope_.visible, [](const auto& visible) { return visible.has_value(); });
}

std::vector<std::optional<Bitmap>> Searcher::allowed() {
  std::vector<std::optional<Bitmap>> out(snapshot_.segments.size());
  for (std::size_t s = 0; s < out.size(); ++s) {
    if (s < scope_.chunks.size()) out[s] = scope_.chunks[s];
    if (run_->plan.meaning_gate < 0) continue;
    Bitmap meets = run_->lists[s].matching(run_->plan.gates[static_cast<std::size_t>(run_->plan.meaning_gate)]);
    if (out[s]) meets &= *out[s];
    out[s] = std::move(meets);
  }
  return out;
}

std::vector<Bitmap> Searcher::matching() {
  std::vector<Bitmap> out;
  Run& run = *run_;
  for (std::size_t s = 0; s < snapshot_.segments.size(); ++s) {
    Bitmap chunks(snapshot_.segments[s]->chunk_count());
    for (std::uint32_t i = 0; i < run.plan.leaves.size() && !run.plan.only_exclusions; ++i)
      if (run.scaled[i] > 0) run.lists[s].list(i).collect(chunks);
    if (run.allowed[s]) chunks &= *run.allowed[s];
    out.push_back(std::move(chunks));
  }
  return out;
}

bool id_less(const Snapshot& snapshot, const ChunkHit& a, const ChunkHit& b) {
  auto key = [&](const ChunkHit& hit) {
    const Segment& segment = *snapshot.segments[hit.segment];
    const DocumentEntry document = segment.document(segment.document_of(hit.chunk));
    return std::tuple(document.document_id, document.version, hit.chunk - document.first_chunk, hit.segment);
  };
  return key(a) < key(b);
}

}  // namespace ragline
