#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "eval/formulas.h"
#include "eval/rank_measures.h"
#include "eval/tie_groups.h"

// Means over all orders of tied hits, for measures that are not linear in what a rank holds: they
// follow from how many hits of a kind stand above one in a group. The slow twin in
// tests/unit/eval/expected_test.cc goes through all orders.
namespace ragline::ours {

namespace {

double count(std::size_t n) { return static_cast<double>(n); }
double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }
double level_of(const Ranking& r, const Arguments& a) { return a.level.value_or(r.level); }

// Hits of a group by what a judge said of them.
struct Kinds {
  std::size_t relevant = 0, not_relevant = 0, pooled = 0, unpooled = 0;
};

Kinds kinds_of(const Ranking& r, double level, std::size_t begin, std::size_t end) {
  Kinds out;
  for (std::size_t i = begin; i < end; ++i) {
    const double grade = r.grades[i];
    if (grade == kUnpooled)
      ++out.unpooled;
    else if (grade == kPooledUnjudged)
      ++out.pooled;
    else
      ++(grade < level ? out.not_relevant : out.relevant);
  }
  return out;
}

}  // namespace

// Of the u nonrelevant hits of its group, 0 to u stand above a relevant one, all equally likely.
void expected_bpref(const Ranking& r, const Arguments& a, Values v) {
  const double level = level_of(r, a);
  const std::size_t relevant = relevant_judged(r.ideal, level);
  const double bound = count(std::min(r.ideal.size() - relevant, relevant));
  double sum = 0;
  std::size_t above = 0;
  each_tie_group(r, [&](std::size_t begin, std::size_t end) {
    const Kinds kinds = kinds_of(r, level, begin, end);
    double credit = 0;
    for (std::size_t more = 0; more <= kinds.not_relevant && kinds.relevant > 0; ++more)
      credit += above + more == 0 ? 1 : 1 - count(std::min(above + more, relevant)) / bound;
    sum += count(kinds.relevant) * credit / count(kinds.not_relevant + 1);
    above += kinds.not_relevant;
    return true;
  });
  v[0] = ratio(sum, count(relevant));
}

// A relevant hit stands at each place of its group with the same chance. Of the hits above it
// there, j are judged; which of these are relevant, and which of the others are in the pool, are
// drawn apart, so that the mean of the product is the product of the means.
void expected_inferred_ap(const Ranking& r, const Arguments& a, Values v) {
  constexpr double kEpsilon = .00001;  // as in inferred_precision_sum()
  const double level = level_of(r, a);
  double sum = 0, relevant = 0, judged = 0, pooled = 0;  // above the group
  each_tie_group(r, [&](std::size_t begin, std::size_t end) {
    const Kinds kinds = kinds_of(r, level, begin, end);
    const std::size_t n = end - begin, judged_here = kinds.relevant + kinds.not_relevant;
    for (std::size_t i = 0; i < n && kinds.relevant > 0; ++i) {
      const double rank = count(begin + i + 1);
      const double term = count_chances(n - 1, judged_here - 1, i).mean([&](std::size_t j) {
        const double of_judged =
            ratio(count(j) * count(kinds.relevant - 1), count(judged_here - 1));
        const double of_pool =
            ratio(count(i - j) * count(kinds.pooled), count(kinds.pooled + kinds.unpooled));
        return (judged + count(j) + pooled + of_pool) * (relevant + of_judged + kEpsilon) /
               (judged + count(j) + 2 * kEpsilon);
      });
      sum += count(kinds.relevant) / count(n) * (1 + term) / rank;
    }
    relevant += count(kinds.relevant);
    judged += count(judged_here);
    pooled += count(kinds.pooled);
    return true;
  });
  v[0] = ratio(sum, count(relevant_judged(r.ideal, level)));
}

// The reader stops at place i of a group with the chance E(i - 1) - E(i), where E(i) is the mean of
// the product of 1 - s over i hits of the group drawn at random. Only hits with s > 0 matter: j of
// the m of them are among i with a hypergeometric chance, and the mean product of j of them comes
// by taking one hit after the other into account (an elementary symmetric polynomial over the
// number of its terms). Those least likely to stop the reader come first, so that a mean product
// that has become negligible stays so.
void expected_err(const Ranking& r, const Arguments& a, Values v) {
  double looking = 1;
  each_tie_group(r, [&](std::size_t begin, std::size_t end) {
    std::vector<double> going;  // 1 - s, where s > 0
    for (std::size_t i = begin; i < end; ++i)
      if (const double goes_on = 1 - err_stop(r.grades[i], a); goes_on < 1)
        going.push_back(goes_on);
    std::ranges::sort(going, std::greater());
    std::vector<double> product{1};  // mean product of j of the hits so far
    for (std::size_t m = 1; m <= going.size(); ++m) {
      if (product.size() == m && product.back() > kNegligible) product.push_back(0);
      for (std::size_t j = product.size() - 1; j > 0; --j)
        product[j] = count(m - j) / count(m) * product[j] +
                     count(j) / count(m) * going[m - 1] * product[j - 1];
    }
    const std::size_t n = end - begin;
    double before = going.empty() ? 0 : 1;
    for (std::size_t i = 1; i <= n && before > kNegligible && begin + i <= a.cutoff; ++i) {
      const double mean = count_chances(n, going.size(), i).mean([&](std::size_t j) {
        return j < product.size() ? product[j] : 0;
      });
      v[0] += looking * (before - mean) / count(begin + i);
      before = mean;
    }
    for (const double goes_on : going) looking *= goes_on;
    return end < a.cutoff && looking > 0;
  });
}

// In a group half of the pairs are in the right order. Where the group goes over the cut-off, the
// number of relevant hits above it is a matter of chance.
void expected_accuracy(const Ranking& r, const Arguments& a, Values v) {
  const double level = level_of(r, a);
  double wrong = 0, above = 0, relevant = 0;
  const auto value = [&](double more_wrong, double more_above, double more_relevant) {
    const double pairs = (above + more_above) * (relevant + more_relevant);
    if (relevant + more_relevant == 0) return 0.0;
    return pairs > 0 ? 1 - (wrong + more_wrong) / pairs : 1.0;
  };
  bool is_cut = false;
  each_tie_group(r, [&](std::size_t begin, std::size_t end) {
    const std::size_t n = end - begin, looked = std::min(end, a.cutoff) - begin;
    const std::size_t m = relevant_in(Grades(r.grades).subspan(begin, n), level);
    const auto part = [&](std::size_t j, auto take) {
      const double here = count(j), others = count(looked - std::min(looked, j));
      return take(here * above + here * others / 2, others, here);
    };
    if (looked == n && end < a.cutoff) {
      part(m, [&](double w, double u, double found) {
        wrong += w;
        above += u;
        relevant += found;
        return 0.0;
      });
      return true;
    }
    v[0] = count_chances(n, m, looked).mean([&](std::size_t j) { return part(j, value); });
    is_cut = true;
    return false;
  });
  if (!is_cut) v[0] = value(0, 0, 0);
}

}  // namespace ragline::ours
