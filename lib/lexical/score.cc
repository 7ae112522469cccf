#include "lexical/score.h"

#include <algorithm>
#include <cmath>
#include <functional>

// One definition for every instruction set; the loader picks. Sanitizers run before resolvers can, so they get one version.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
#define RAGLINE_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define RAGLINE_CLONES
#endif

namespace ragline {

std::vector<float> bm25_norms(std::uint32_t longest, double average_length, double k1, double b) {
  std::vector<float> norms(std::min<std::uint32_t>(longest, 65535) + 1);
  const double per_word = average_length > 0 ? b / average_length : 0;
  for (std::size_t length = 0; length < norms.size(); ++length)
    norms[length] = static_cast<float>(k1 * (1 - b + per_word * static_cast<double>(length)));
  return norms;
}

namespace {
// Rounds to nearest by adding a half; the sum stays below 2^31, so a signed conversion (one SIMD instruction) is enough.
inline std::uint32_t round_score(float value) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(value + 0.5f)); }

RAGLINE_CLONES void score_loop(float weight, const std::uint32_t* tfs, const float* norms, std::uint32_t* out) {
  for (std::uint32_t i = 0; i < kBlock; ++i) {
    const auto tf = static_cast<float>(static_cast<std::int32_t>(tfs[i]));
    out[i] = round_score(weight * (tf / (tf + norms[i])));
  }
}

template <int kWidth>
void gather_norms(const ScoredList& list, const std::uint32_t* docs, std::uint32_t count, float* out) {
  const char* lengths = list.lengths.data();
  const float* norms = list.norms.data();
  const std::size_t last = list.norms.size() - 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::size_t length = 0;
    if constexpr (kWidth == 1) length = static_cast<unsigned char>(lengths[docs[i]]);
    if constexpr (kWidth == 2) length = get_fixed<std::uint16_t>(lengths + std::size_t{2} * docs[i]);
    if constexpr (kWidth == 4) length = get_fixed<std::uint32_t>(lengths + std::size_t{4} * docs[i]);
    out[i] = norms[std::min(length, last)];
  }
}
}  // namespace

std::uint32_t contribution(float weight, std::uint32_t tf, float norm) {
  const auto value = static_cast<float>(static_cast<std::int32_t>(tf));
  return round_score(weight * (value / (value + norm)));
}

void score_block(const ScoredList& list, const std::uint32_t* docs, const std::uint32_t* tfs, std::uint32_t count, std::uint32_t* out) {
  float norms[kBlock];
  switch (list.lengths.width()) {
    case 1: gather_norms<1>(list, docs, count, norms); break;
    case 2: gather_norms<2>(list, docs, count, norms); break;
    case 4: gather_norms<4>(list, docs, count, norms); break;
    default: gather_norms<0>(list, docs, count, norms); break;
  }
  if (count == kBlock) return score_loop(list.weight, tfs, norms, out);
  for (std::uint32_t i = 0; i < count; ++i) out[i] = contribution(list.weight, tfs[i], norms[i]);
}

void add_flat(float weight, const std::uint32_t* docs, const float* impacts, std::size_t count, std::uint32_t base, std::uint32_t* sums) {
  // Eight products at a time (SIMD), then eight additions by address.
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    std::uint32_t scores[8];
    for (int j = 0; j < 8; ++j) scores[j] = round_score(weight * impacts[i + j]);
    for (int j = 0; j < 8; ++j) sums[docs[i + j] - base] += scores[j];
  }
  for (; i < count; ++i) sums[docs[i] - base] += round_score(weight * impacts[i]);
}

// Signed comparison, since SIMD has that one from the start; sums stay below 2^31.
RAGLINE_CLONES bool any_at_least(const std::uint32_t* sums, std::uint32_t least) {
  const auto below = static_cast<std::int32_t>(least - 1);
  std::int32_t any = 0;
  for (std::uint32_t i = 0; i < kScan; ++i) any |= static_cast<std::int32_t>(sums[i]) > below ? -1 : 0;
  return any != 0;
}

FlatList flatten(const ScoredList& list) {
  FlatList flat;
  flat.docs.reserve(list.list.size() + kBlock);
  flat.impacts.reserve(list.list.size());
  std::uint32_t tfs[kBlock];
  for (std::uint32_t block = 0; block < list.list.block_count(); ++block) {
    const std::size_t before = flat.docs.size();
    flat.docs.resize(before + kBlock);
    const std::uint32_t count = list.list.decode(block, flat.docs.data() + before, tfs);
    flat.docs.resize(before + count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto tf = static_cast<float>(static_cast<std::int32_t>(tfs[i]));
      const float norm = list.norms[std::min<std::size_t>(list.lengths[flat.docs[before + i]], list.norms.size() - 1)];
      flat.impacts.push_back(tf / (tf + norm));
    }
    if (count == 0) break;
  }
  flat.best = flat.impacts;
  const std::size_t kept = std::min(flat.best.size(), FlatList::kBest);
  std::nth_element(flat.best.begin(), flat.best.begin() + static_cast<std::ptrdiff_t>(kept), flat.best.end(), std::greater<>());
  flat.best.resize(kept);
  std::sort(flat.best.begin(), flat.best.end(), std::greater<>());
  return flat;
}

std::uint32_t frontier_bound(const ScoredList& list, const ImpactPair (&frontier)[kFrontier]) {
  const std::size_t last = list.norms.size() - 1;
  std::uint32_t bound = 0;
  for (const ImpactPair& pair : frontier) {
    const float norm = list.norms[std::min<std::size_t>(pair.length, last)];
    bound = std::max(bound, pair.tf == 65535 ? round_score(list.weight) : contribution(list.weight, pair.tf, norm));
  }
  // x / (x + n) in floats may fall by a rounding error where x grows; the slack keeps the bound a bound.
  return bound + (bound >> 20) + 1;
}

TopChunks::TopChunks(const RankOptions& options) : options_(options), threshold_(std::max(options.floor, 1u)) {
  if (!options.first_chunk.empty())
    spare_ = options.first_chunk.back() - static_cast<std::uint32_t>(options.first_chunk.size() - 1);
  heap_.reserve(std::min<std::size_t>(options.top, 4096));
}

void TopChunks::push(std::uint32_t chunk, std::uint32_t score) {
  if (score < threshold_) return;
  const Entry entry{score, options_.tie_rank.empty() ? chunk : options_.tie_rank[chunk], chunk};
  if (options_.first_chunk.empty()) return insert(entry);
  if (has_document_ && same_document(last_chunk_, chunk)) {
    if (entry.better_than(best_of_document_)) best_of_document_ = entry;
  } else {
    flush_document();
    best_of_document_ = entry;
    has_document_ = true;
  }
  last_chunk_ = chunk;
}

void TopChunks::push_all(std::vector<RankedChunk>& found) {
  auto by_chunk = [](const RankedChunk& a, const RankedChunk& b) { return a.chunk < b.chunk; };
  // Of very many only those stay that `top` others (of as many documents) do not beat.
  const bool collapses = !options_.first_chunk.empty();
  for (std::size_t best = std::size_t{options_.top} * (collapses ? 4 : 1); best > 0 && best < found.size() / 2; best *= 4) {
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(best);
    std::nth_element(found.begin(), end - 1, found.end(), [](const RankedChunk& a, const RankedChunk& b) { return a.score > b.score; });
    const std::uint32_t least = end[-1].score;
    std::sort(found.begin(), end, by_chunk);
    std::size_t documents = best;
    for (std::size_t i = 1; collapses && i < best; ++i) documents -= same_document(found[i - 1].chunk, found[i].chunk);
    if (documents < options_.top) continue;
    std::erase_if(found, [&](const RankedChunk& hit) { return hit.score < least; });
    break;
  }
  std::sort(found.begin(), found.end(), by_chunk);
  for (const RankedChunk& hit : found) push(hit.chunk, hit.score);
}

// For a < b. No document has fewer than one chunk, so none has more than 1 + spare_, and that of a chunk has a number
// between chunk - spare_ and chunk: most pairs are told apart without a look at where documents begin.
bool TopChunks::same_document(std::uint32_t a, std::uint32_t b) const {
  if (b - a > spare_) return false;
  const auto& first = options_.first_chunk;
  const std::size_t low = a > spare_ ? a - spare_ : 0, high = std::min<std::size_t>(std::size_t{a} + 2, first.size());
  const auto next = std::upper_bound(first.begin() + static_cast<std::ptrdiff_t>(low), first.begin() + static_cast<std::ptrdiff_t>(high), a);
  return next != first.end() && *next > b;
}

void TopChunks::flush_document() {
  if (has_document_) insert(best_of_document_);
  has_document_ = false;
}

void TopChunks::insert(Entry entry) {
  auto worse = [](const Entry& a, const Entry& b) { return a.better_than(b); };
  if (heap_.size() == options_.top) {
    if (heap_.empty() || !entry.better_than(heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), worse);
    heap_.back() = entry;
  } else {
    heap_.push_back(entry);
  }
  std::push_heap(heap_.begin(), heap_.end(), worse);
  if (heap_.size() == options_.top) threshold_ = std::max(threshold_, heap_.front().score);
}

std::vector<RankedChunk> TopChunks::take() {
  flush_document();
  std::sort(heap_.begin(), heap_.end(), [](const Entry& a, const Entry& b) { return a.better_than(b); });
  std::vector<RankedChunk> out;
  out.reserve(heap_.size());
  for (const Entry& entry : heap_) out.push_back({entry.chunk, entry.score});
  return out;
}

}  // namespace ragline
