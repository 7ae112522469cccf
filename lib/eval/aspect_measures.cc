#include <algorithm>
#include <cmath>

#include "eval/rank_measures.h"

// Measures of what a list holds together: subtopics of a query, or the pieces of evidence that an
// answer needs.
namespace ragline::ours {

namespace {

using Aspects = std::span<const std::uint32_t>;

std::size_t depth_of(const Ranking& r, const Arguments& a) {
  return std::min(r.aspects.size(), a.cutoff);
}

// Calls visit(rank from 1, aspects not seen above) and returns how many were seen.
template <class Visit>
double each_new(const Ranking& r, const Arguments& a, Visit visit) {
  std::vector<bool> seen(r.aspect_count);
  double total = 0;
  for (std::size_t i = 0; i < depth_of(r, a); ++i) {
    double fresh = 0;
    for (const std::uint32_t aspect : r.aspects[i]) {
      fresh += !seen[aspect];
      seen[aspect] = true;
    }
    total += fresh;
    visit(static_cast<double>(i + 1), fresh);
  }
  return total;
}

double aspects_found(const Ranking& r, const Arguments& a) {
  return each_new(r, a, [](double, double) {});
}

double novelty(Aspects aspects, const std::vector<double>& weights) {
  double gain = 0;
  for (const std::uint32_t aspect : aspects) gain += weights[aspect];
  return gain;
}

void dim(Aspects aspects, double alpha, std::vector<double>& weights) {
  for (const std::uint32_t aspect : aspects) weights[aspect] *= 1 - alpha;
}

// The greatest gain at each rank, one document after the other: finding the best order of all is
// NP-hard, and this is what alpha-nDCG is always divided by.
double greedy_dcg(const Ranking& r, const Arguments& a) {
  std::vector<Aspects> left(r.judged_aspects.begin(), r.judged_aspects.end());
  std::vector<double> weights(r.aspect_count, 1);
  double sum = 0;
  for (std::size_t i = 0; i < a.cutoff && !left.empty(); ++i) {
    const auto best = std::ranges::max_element(
        left, {}, [&](Aspects aspects) { return novelty(aspects, weights); });
    sum += novelty(*best, weights) / std::log2(static_cast<double>(i + 2));
    dim(*best, a.alpha, weights);
    left.erase(best);
  }
  return sum;
}

}  // namespace

void alpha_ndcg(const Ranking& r, const Arguments& a, Values v) {
  std::vector<double> weights(r.aspect_count, 1);
  double sum = 0;
  for (std::size_t i = 0; i < depth_of(r, a); ++i) {
    sum += novelty(r.aspects[i], weights) / std::log2(static_cast<double>(i + 2));
    dim(r.aspects[i], a.alpha, weights);
  }
  if (sum > 0) v[0] = sum / greedy_dcg(r, a);
}

void subtopic_recall(const Ranking& r, const Arguments& a, Values v) {
  if (r.aspect_count > 0) v[0] = aspects_found(r, a) / r.aspect_count;
}

void precision_ia(const Ranking& r, const Arguments& a, Values v) {
  double sum = 0;
  for (std::size_t i = 0; i < depth_of(r, a); ++i) sum += static_cast<double>(r.aspects[i].size());
  if (r.aspect_count > 0) v[0] = sum / r.aspect_count / static_cast<double>(a.cutoff);
}

void evidence_recall(const Ranking& r, const Arguments& a, Values v) { subtopic_recall(r, a, v); }

void all_evidence(const Ranking& r, const Arguments& a, Values v) {
  v[0] = r.aspect_count > 0 && aspects_found(r, a) == r.aspect_count;
}

void hop_coverage(const Ranking& r, const Arguments& a, Values v) {
  if (r.hops > 0) v[0] = std::min(aspects_found(r, a) / r.hops, 1.0);
}

void multihop_hits(const Ranking& r, const Arguments& a, Values v) {
  v[0] = aspects_found(r, a) > 0;
}

void multihop_mrr(const Ranking& r, const Arguments& a, Values v) {
  each_new(r, a, [&](double rank, double fresh) {
    if (v[0] == 0 && fresh > 0) v[0] = 1 / rank;
  });
}

void multihop_map(const Ranking& r, const Arguments& a, Values v) {
  double sum = 0;
  each_new(r, a, [&](double rank, double fresh) { sum += fresh / rank; });
  if (r.aspect_count > 0)
    v[0] = sum / std::min(static_cast<double>(r.aspect_count), static_cast<double>(a.cutoff));
}

}  // namespace ragline::ours
