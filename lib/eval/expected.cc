#include <algorithm>
#include <cmath>

#include "eval/formulas.h"
#include "eval/rank_measures.h"
#include "eval/tie_groups.h"

// Means over all orders of tied hits.
//
// A measure that adds something for each rank needs only the mean of each group of equal scores:
// what a rank of the group holds on average. Average precision, reciprocal rank and success need
// the chances of a random order besides; their sums are in McSherry and Najork's paper. A list
// without ties gives the plain value. The slow twin in tests/unit/eval goes through all orders.
namespace ragline::ours {

namespace {

// `value` of each grade, where a group of ties has its mean at each of its ranks; up to the
// cut-off.
template <class Value>
std::vector<double> mean_by_rank(const Ranking& r, std::size_t cutoff, Value value) {
  std::vector<double> means;
  for (const double grade : r.grades) means.push_back(value(grade));
  for (const TieGroup& group : r.ties) {
    double sum = 0;
    for (std::size_t i = group.begin; i < group.end; ++i) sum += means[i];
    std::fill(means.begin() + group.begin, means.begin() + group.end,
              sum / (group.end - group.begin));
  }
  means.resize(std::min(means.size(), cutoff));
  return means;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

double level_of(const Ranking& r, const Arguments& a) { return a.level.value_or(r.level); }

double relevant_of(const Ranking& r, const Arguments& a) {
  return static_cast<double>(relevant_judged(r.ideal, level_of(r, a)));
}

double relevance_within(const Ranking& r, const Arguments& a, std::size_t cutoff) {
  const double level = level_of(r, a);
  return sum_of(mean_by_rank(r, cutoff, [&](double grade) { return grade >= level ? 1.0 : 0.0; }));
}

// Calls visit(first rank from 0, hits, relevant hits) for each group, single hits too.
template <class Visit>
void each_group(const Ranking& r, double level, Visit visit) {
  each_tie_group(r, [&](std::size_t begin, std::size_t end) {
    const auto part = Grades(r.grades).subspan(begin, end - begin);
    return visit(begin, static_cast<double>(end - begin),
                 static_cast<double>(relevant_in(part, level)));
  });
}

double expected_dcg_of(const Ranking& r, const Arguments& a) {
  const std::vector<double> gains = mean_by_rank(r, a.cutoff, [&](double grade) {
    for (const auto& [from, gain] : a.gains)
      if (grade == from) return gain;
    return grade <= 0 ? 0.0 : a.exponential ? std::exp2(std::min(grade, kMostExponent)) - 1 : grade;
  });
  double sum = 0;
  for (std::size_t i = 0; i < gains.size(); ++i)
    sum += gains[i] / std::log2(static_cast<double>(i + 2));
  return sum;
}

}  // namespace

void expected_precision(const Ranking& r, const Arguments& a, Values v) {
  const auto depth = static_cast<double>(a.cutoff == SIZE_MAX ? r.grades.size() : a.cutoff);
  v[0] = ratio(relevance_within(r, a, a.cutoff), depth);
}

void expected_recall(const Ranking& r, const Arguments& a, Values v) {
  v[0] = ratio(relevance_within(r, a, a.cutoff), relevant_of(r, a));
}

// Linear in the number found, as P and R are: 2 found / (k + R).
void expected_f1(const Ranking& r, const Arguments& a, Values v) {
  const double found = relevance_within(r, a, a.cutoff);
  v[0] = ratio(2 * found, static_cast<double>(a.cutoff) + relevant_of(r, a));
}

void expected_r_precision(const Ranking& r, const Arguments& a, Values v) {
  const double relevant = relevant_of(r, a);
  v[0] = ratio(relevance_within(r, a, static_cast<std::size_t>(relevant)), relevant);
}

void expected_judged(const Ranking& r, const Arguments& a, Values v) {
  const auto judged =
      mean_by_rank(r, a.cutoff, [](double grade) { return grade >= 0 ? 1.0 : 0.0; });
  v[0] = ratio(sum_of(judged), static_cast<double>(judged.size()));
}

void expected_unjudged(const Ranking& r, const Arguments& a, Values v) {
  if (r.grades.empty()) return;
  expected_judged(r, a, v);
  v[0] = 1 - v[0];
}

void expected_dcg(const Ranking& r, const Arguments& a, Values v) { v[0] = expected_dcg_of(r, a); }

void expected_ndcg(const Ranking& r, const Arguments& a, Values v) {
  Ranking ideal;
  ideal.grades = r.ideal;
  ideal.ideal = r.ideal;
  double best = 0;
  dcg(ideal, a, Values(&best, 1));
  v[0] = ratio(expected_dcg_of(r, a), best);
}

void expected_rbp(const Ranking& r, const Arguments& a, Values v) {
  const double level = level_of(r, a);
  double weight = 1 - a.p;
  for (const double relevance :
       mean_by_rank(r, a.cutoff, [&](double grade) { return grade >= level ? 1.0 : 0.0; })) {
    v[0] += relevance * weight;
    weight *= a.p;
  }
}

// At place i of a group of n hits with m relevant ones, behind `before` relevant ones: the hit is
// relevant with chance m / n, and then (i - 1)(m - 1) / (n - 1) others of the group stand above it.
void expected_ap(const Ranking& r, const Arguments& a, Values v) {
  double sum = 0, before = 0;
  each_group(r, level_of(r, a), [&](std::size_t begin, double n, double m) {
    for (double i = 1; i <= n && m > 0; ++i) {
      const double rank = static_cast<double>(begin) + i;
      if (rank > static_cast<double>(a.cutoff)) return false;
      const double above = n > 1 ? (i - 1) * (m - 1) / (n - 1) : 0;
      sum += m / n * (before + above + 1) / rank;
    }
    before += m;
    return true;
  });
  v[0] = ratio(sum, relevant_of(r, a));
}

// Only the first group with a relevant hit counts. The first relevant one stands at place i with
// the chance that none stood at the places before, times m over the places left.
void expected_rr(const Ranking& r, const Arguments& a, Values v) {
  each_group(r, level_of(r, a), [&](std::size_t begin, double n, double m) {
    double none = 1;
    for (double i = 1; i <= n - m + 1 && m > 0; ++i) {
      const double rank = static_cast<double>(begin) + i, left = n - i + 1;
      if (rank > static_cast<double>(a.cutoff)) break;
      v[0] += none * m / left / rank;
      none *= (left - m) / left;
    }
    return m == 0;
  });
}

void expected_success(const Ranking& r, const Arguments& a, Values v) {
  double none = 1;
  each_group(r, level_of(r, a), [&](std::size_t begin, double n, double m) {
    for (double i = 1; i <= n; ++i) {
      if (static_cast<double>(begin) + i > static_cast<double>(a.cutoff)) return false;
      const double left = n - i + 1;
      none *= std::max(left - m, 0.0) / left;
    }
    return none > 0;
  });
  v[0] = 1 - none;
}

}  // namespace ragline::ours
