#include <algorithm>
#include <cmath>

#include "eval/novelty.h"
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

}  // namespace

double discounted_novelty(const Ranking& r, const Arguments& a, Discount discount) {
  std::vector<double> weights(r.aspect_count, 1);
  double sum = 0;
  for (std::size_t i = 0; i < depth_of(r, a); ++i) {
    sum += novelty(r.aspects[i], weights) * discount(i + 1, a);
    dim(r.aspects[i], a.alpha, weights);
  }
  return sum;
}

double log_discount(std::size_t rank, const Arguments&) {
  return 1 / std::log2(static_cast<double>(rank + 1));
}
double reciprocal_discount(std::size_t rank, const Arguments&) {
  return 1 / static_cast<double>(rank);
}
double geometric_discount(std::size_t rank, const Arguments& a) {
  return std::pow(a.beta, static_cast<double>(rank - 1));
}

// The greatest gain at each rank, one document after the other: finding the best order of all is
// NP-hard, and this is what alpha-nDCG is always divided by. Of equal ones it takes the one whose
// id is last, as ndeval does: what is left then differs.
double greedy_novelty(const Ranking& r, const Arguments& a, Discount discount) {
  std::vector<Aspects> left(r.judged_aspects.rbegin(), r.judged_aspects.rend());
  std::vector<double> weights(r.aspect_count, 1);
  double sum = 0;
  for (std::size_t i = 0; i < a.cutoff && !left.empty(); ++i) {
    const auto best = std::ranges::max_element(
        left, {}, [&](Aspects aspects) { return novelty(aspects, weights); });
    sum += novelty(*best, weights) * discount(i + 1, a);
    dim(*best, a.alpha, weights);
    left.erase(best);
  }
  return sum;
}

std::vector<double> documents_by_aspect(const Ranking& r) {
  std::vector<double> out(r.aspect_count);
  for (const Aspects aspects : r.judged_aspects)
    for (const std::uint32_t aspect : aspects) ++out[aspect];
  return out;
}

double perfect_novelty(const Ranking& r, const Arguments& a, Discount discount) {
  double sum = 0, weight = 1;
  for (std::size_t i = 0; i < a.cutoff && weight > 0; ++i, weight *= 1 - a.alpha)
    sum += weight * discount(i + 1, a);
  return sum * r.aspect_count;
}

double endless_novelty(const Ranking& r, const Arguments& a, Discount) {
  return r.aspect_count / (1 - (1 - a.alpha) * a.beta);
}

void subtopic_recall(const Ranking& r, const Arguments& a, Values v) {
  if (r.aspect_count > 0) v[0] = aspects_found(r, a) / r.aspect_count;
}

void precision_ia(const Ranking& r, const Arguments& a, Values v) {
  double sum = 0;
  for (std::size_t i = 0; i < depth_of(r, a); ++i) sum += static_cast<double>(r.aspects[i].size());
  if (r.aspect_count > 0) v[0] = sum / r.aspect_count / static_cast<double>(a.cutoff);
}

void ap_ia(const Ranking& r, const Arguments&, Values v) {
  const std::vector<double> relevant = documents_by_aspect(r);
  std::vector<double> found(r.aspect_count);
  double sum = 0;
  for (std::size_t i = 0; i < r.aspects.size(); ++i)
    for (const std::uint32_t aspect : r.aspects[i])
      sum += ++found[aspect] / static_cast<double>(i + 1) / relevant[aspect];
  if (r.aspect_count > 0) v[0] = sum / r.aspect_count;
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
