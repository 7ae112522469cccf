#include <algorithm>
#include <cmath>

#include "eval/novelty.h"
#include "eval/rank_measures.h"
#include "eval/tie_groups.h"

// Means over all orders of tied hits, of measures of subtopics and pieces of evidence. All but
// AllEvidence and HopCoverage are sums over subtopics, so that each can be looked at by itself:
// what counts is how many hits of a group hold it. (The chance that a random half of a group holds
// every one of several pieces has no such form: counting set covers is #P-hard. Those two are
// refused.)
namespace ragline::ours {

namespace {

double count(std::size_t n) { return static_cast<double>(n); }

// How many hits of a group hold each subtopic.
std::vector<std::size_t> holders(const Ranking& r, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> out(r.aspect_count);
  for (std::size_t i = begin; i < end; ++i)
    for (const std::uint32_t aspect : r.aspects[i]) ++out[aspect];
  return out;
}

// Calls visit(begin, n, looked) for each group down to the cut-off: `looked` of its n hits are
// above.
template <class Visit>
void each_group_above(const Ranking& r, std::size_t cutoff, Visit visit) {
  each_tie_group(r, [&](std::size_t begin, std::size_t end) {
    if (begin >= cutoff) return false;
    visit(begin, end - begin, std::min(end, cutoff) - begin);
    return true;
  });
}

// Sums over `kinds` of hits, where held(begin, end) says how many hits of a group are of each, and
// take(kind, rank, chance) hears the chance that the first of a kind stands at that rank.
template <class Held, class Take>
void each_first(const Ranking& r, std::size_t cutoff, std::size_t kinds, Held held, Take take) {
  std::vector<bool> seen(kinds);
  each_group_above(r, cutoff, [&](std::size_t begin, std::size_t n, std::size_t looked) {
    const std::vector<std::size_t> here = held(begin, begin + n);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      if (seen[kind] || here[kind] == 0) continue;
      seen[kind] = true;
      double none = 1;
      for (std::size_t i = 0; i < looked && none > 0; ++i) {
        const double chance = std::min(1.0, count(here[kind]) / count(n - i));
        take(kind, begin + i + 1, none * chance);
        none *= 1 - chance;
      }
    }
  });
}

template <class Take>
void each_first_of_aspects(const Ranking& r, const Arguments& a, Take take) {
  each_first(
      r, a.cutoff, r.aspect_count,
      [&](std::size_t begin, std::size_t end) { return holders(r, begin, end); }, take);
}

// The first hit that holds anything.
template <class Take>
void each_first_of_any(const Ranking& r, const Arguments& a, Take take) {
  const auto held = [&](std::size_t begin, std::size_t end) {
    std::size_t hits = 0;
    for (std::size_t i = begin; i < end; ++i) hits += !r.aspects[i].empty();
    return std::vector<std::size_t>{hits};
  };
  each_first(r, a.cutoff, 1, held, take);
}

}  // namespace

// Of n hits, d of which hold a subtopic, the one at place i holds it with the chance d / n; then j
// of the others stand above it, and each dims it.
double expected_novelty(const Ranking& r, const Arguments& a, Discount discount) {
  std::vector<double> weights(r.aspect_count, 1);
  double sum = 0;
  each_group_above(r, a.cutoff, [&](std::size_t begin, std::size_t n, std::size_t looked) {
    const std::vector<std::size_t> held = holders(r, begin, begin + n);
    for (std::size_t aspect = 0; aspect < held.size(); ++aspect) {
      const std::size_t d = held[aspect];
      for (std::size_t i = 0; i < looked && d > 0; ++i) {
        const double mean = count_chances(n - 1, d - 1, i).mean([&](std::size_t j) {
          return std::pow(1 - a.alpha, count(j));
        });
        sum += discount(begin + i + 1, a) * count(d) / count(n) * weights[aspect] * mean;
      }
      weights[aspect] *= std::pow(1 - a.alpha, count(d));
    }
  });
  return sum;
}

void expected_subtopic_recall(const Ranking& r, const Arguments& a, Values v) {
  double found = 0;
  each_first_of_aspects(r, a, [&](std::size_t, std::size_t, double chance) { found += chance; });
  if (r.aspect_count > 0) v[0] = found / r.aspect_count;
}

void expected_precision_ia(const Ranking& r, const Arguments& a, Values v) {
  double sum = 0;
  each_group_above(r, a.cutoff, [&](std::size_t begin, std::size_t n, std::size_t looked) {
    for (std::size_t i = begin; i < begin + n; ++i)
      sum += count(r.aspects[i].size()) * count(looked) / count(n);
  });
  if (r.aspect_count > 0) v[0] = sum / r.aspect_count / count(a.cutoff);
}

// As expected_ap(), subtopic by subtopic.
void expected_ap_ia(const Ranking& r, const Arguments&, Values v) {
  const std::vector<double> relevant = documents_by_aspect(r);
  std::vector<double> before(r.aspect_count);
  double sum = 0;
  each_group_above(r, SIZE_MAX, [&](std::size_t begin, std::size_t n, std::size_t) {
    const std::vector<std::size_t> held = holders(r, begin, begin + n);
    for (std::size_t aspect = 0; aspect < held.size(); ++aspect) {
      const double d = count(held[aspect]);
      for (std::size_t i = 0; i < n && d > 0; ++i) {
        const double above = n > 1 ? count(i) * (d - 1) / count(n - 1) : 0;
        sum +=
            d / count(n) * (before[aspect] + above + 1) / count(begin + i + 1) / relevant[aspect];
      }
      before[aspect] += d;
    }
  });
  if (r.aspect_count > 0) v[0] = sum / r.aspect_count;
}

void expected_multihop_hits(const Ranking& r, const Arguments& a, Values v) {
  each_first_of_any(r, a, [&](std::size_t, std::size_t, double chance) { v[0] += chance; });
}

void expected_multihop_mrr(const Ranking& r, const Arguments& a, Values v) {
  each_first_of_any(
      r, a, [&](std::size_t, std::size_t rank, double chance) { v[0] += chance / count(rank); });
}

void expected_multihop_map(const Ranking& r, const Arguments& a, Values v) {
  double sum = 0;
  each_first_of_aspects(
      r, a, [&](std::size_t, std::size_t rank, double chance) { sum += chance / count(rank); });
  if (r.aspect_count > 0) v[0] = sum / std::min(count(r.aspect_count), count(a.cutoff));
}

}  // namespace ragline::ours
