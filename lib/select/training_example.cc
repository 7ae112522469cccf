#include "select/training_example.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "select/dot.h"

namespace ragline {

namespace {

// Candidates to draw from, each with a weight; no candidate comes twice out of one urn.
class Urn {
 public:
  void add(std::uint32_t candidate, double weight) { entries_.push_back({candidate, weight}); }
  bool empty() const { return entries_.empty(); }
  std::uint32_t take(Random& random) {
    double total = 0;
    for (const auto& entry : entries_) total += entry.second;
    double left = random.uniform() * total;
    std::size_t at = 0;
    while (at + 1 < entries_.size() && (left -= entries_[at].second) >= 0) ++at;
    const std::uint32_t out = entries_[at].first;
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(at));
    return out;
  }

 private:
  std::vector<std::pair<std::uint32_t, double>> entries_;
};

constexpr double kSimilaritySharpness = 2;  // weights exp(2 r)

// How many positives a negative of this kind keeps.
std::size_t kept(NegativeKind kind, std::size_t k, std::size_t others, Random& random) {
  const std::size_t least = k > others ? k - others : 0;  // a pool too small for disjoint sets
  if (kind == NegativeKind::kSwap && k > 1)
    return std::max<std::size_t>(least, 1 + random.below(k - 1));
  return kind == NegativeKind::kNear ? k - 1 : least;
}

CandidateSet draw_one(const TrainingExample& example, const CandidateSet& positive,
                      NegativeKind kind, Random& random) {
  const std::size_t k = positive.size(), others = example.size() - k;
  CandidateSet out = positive;
  for (std::size_t i = 0; i + 1 < k; ++i) std::swap(out[i], out[i + random.below(k - i)]);
  const std::uint32_t dropped = out.back();
  out.resize(kept(kind, k, others, random));
  Urn urn;
  const auto row = [&](std::uint32_t i) {
    return std::span<const float>(example.vectors)
        .subspan(i * example.dimensions, example.dimensions);
  };
  for (std::uint32_t i = 0; i < example.size(); ++i) {
    if (std::ranges::binary_search(positive, i)) continue;
    urn.add(i, kind == NegativeKind::kSimilarity
                   ? std::exp(kSimilaritySharpness * example.relevance[i])
               : kind == NegativeKind::kNear ? std::exp(8 * dot(row(i), row(dropped)))
                                             : 1);
  }
  while (out.size() < k && !urn.empty()) out.push_back(urn.take(random));
  std::ranges::sort(out);
  return out;
}

}  // namespace

CandidateSet positive_set(const TrainingExample& example) {
  CandidateSet out;
  std::set<std::uint32_t> found;
  for (std::uint32_t i = 0; i < example.size(); ++i) {
    bool fresh = false;
    for (const std::uint32_t piece : example.pieces[i]) fresh = found.insert(piece).second || fresh;
    if (fresh) out.push_back(i);
  }
  return out;
}

std::vector<CandidateSet> draw_negatives(const TrainingExample& example,
                                         const CandidateSet& positive, NegativeKind kind,
                                         std::size_t count, Random& random) {
  std::vector<CandidateSet> out;
  for (std::size_t n = 0; n < count; ++n) {
    const NegativeKind one = kind != NegativeKind::kMixed ? kind
                             : n % 2 == 0                 ? NegativeKind::kSwap
                                                          : NegativeKind::kSimilarity;
    CandidateSet set = draw_one(example, positive, one, random);
    if (set.size() == positive.size() && set != positive) out.push_back(std::move(set));
  }
  return out;
}

Quality quality_of(const TrainingExample& example, const std::vector<std::uint32_t>& order) {
  Quality out;
  if (example.hops == 0) return out;
  std::set<std::uint32_t> found;
  double gain = 0, ideal = 0;
  const double hops = example.hops;
  for (std::size_t place = 0; place < kMeasured; ++place) {
    const double discount = 1 / std::log2(static_cast<double>(place) + 2);
    if (place < example.hops) ideal += discount;
    if (place < order.size()) {
      // Several pieces in one candidate count as one: the ideal is one a place.
      bool fresh = false;
      for (const std::uint32_t piece : example.pieces[order[place]])
        fresh = found.insert(piece).second || fresh;
      if (fresh) gain += discount;
    }
    if (place == 3) {
      out.recall4 = static_cast<double>(found.size()) / hops;
      out.hits4 = found.empty() ? 0 : 1;
    }
  }
  out.recall10 = static_cast<double>(found.size()) / hops;
  out.hits10 = found.empty() ? 0 : 1;
  out.ndcg10 = gain / ideal;
  return out;
}

}  // namespace ragline
