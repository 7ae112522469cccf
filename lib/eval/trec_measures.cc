#include "eval/trec_measures.h"

#include <algorithm>
#include <cmath>

#include "eval/formulas.h"

// A value is 0 unless it is set: where nothing is relevant most measures leave it so. What divides
// by an empty list without asking gives NaN, here as there.
namespace ragline::trec {

namespace {

constexpr double kLeastGeometric = .00001;

double count(std::uint64_t n) { return static_cast<double>(n); }

// Calls visit(index of the cut-off, sum of relevance above it) for each cut-off, ascending, where a
// list that is too short counts as filled up with nothing.
template <class Visit>
void at_cutoffs(const Ranking& r, const Arguments& a, Visit visit) {
  std::uint64_t found = 0;
  std::size_t at = 0;
  for (std::size_t k = 0; k < a.numbers.size(); ++k) {
    const auto cutoff = static_cast<std::size_t>(a.numbers[k]);
    for (; at < std::min(cutoff, r.grades.size()); ++at) found += r.grades[at] >= r.level;
    visit(k, count(found), a.numbers[k]);
  }
}

// Number of relevant documents at a share of R; the versions round differently.
std::uint64_t share_of(double share, const Ranking& r, Dialect dialect) {
  const double exact = share * count(r.relevant);
  return static_cast<std::uint64_t>(dialect == Dialect::kTrec9 ? static_cast<long>(exact + 0.9)
                                                               : std::lround(exact));
}

std::vector<double> interpolated(const Ranking& r, const Arguments& a) {
  std::vector<std::uint64_t> counts;
  for (const double share : a.numbers) counts.push_back(share_of(share, r, a.dialect));
  std::vector<double> values(counts.size());
  if (r.grades.empty() && a.dialect == Dialect::kOurs) return values;
  interpolated_precision(r.grades, r.level, counts, values);
  return values;
}

}  // namespace

void num_q(const Ranking&, const Arguments&, Values v) { v[0] = 1; }
void num_ret(const Ranking& r, const Arguments&, Values v) { v[0] = count(r.grades.size()); }
void num_rel(const Ranking& r, const Arguments&, Values v) { v[0] = count(r.relevant); }
void num_rel_ret(const Ranking& r, const Arguments&, Values v) {
  v[0] = count(r.relevant_retrieved);
}
void num_nonrel_judged_ret(const Ranking& r, const Arguments&, Values v) {
  v[0] = count(r.grades.size() - r.unpooled - r.pooled_unjudged - r.relevant_retrieved);
}

void map(const Ranking& r, const Arguments&, Values v) {
  if (r.relevant_retrieved > 0) v[0] = precision_sum(r.grades, r.level) / count(r.relevant);
}

void gm_map(const Ranking& r, const Arguments& a, Values v) {
  map(r, a, v);
  v[0] = std::log(std::max(v[0], kLeastGeometric));
}

void r_prec(const Ranking& r, const Arguments&, Values v) {
  const auto looked_at = std::min<std::uint64_t>(r.grades.size(), r.relevant);
  if (looked_at == 0) return;
  v[0] = count(relevant_in(Grades(r.grades).first(looked_at), r.level)) / count(r.relevant);
}

void r_prec_mult(const Ranking& r, const Arguments& a, Values v) {
  for (std::size_t k = 0; k < a.numbers.size(); ++k) {
    const auto cutoff = static_cast<std::uint64_t>(a.numbers[k] * count(r.relevant) + 0.9);
    if (cutoff == 0) continue;
    const auto looked_at = std::min<std::uint64_t>(cutoff, r.grades.size());
    v[k] = count(relevant_in(Grades(r.grades).first(looked_at), r.level)) / count(cutoff);
  }
}

void bpref(const Ranking& r, const Arguments&, Values v) {
  v[0] = bpref_sum(r.grades, r.ideal, r.level);
  if (r.relevant > 0) v[0] /= count(r.relevant);
}

void gm_bpref(const Ranking& r, const Arguments& a, Values v) {
  bpref(r, a, v);
  v[0] = std::log(std::max(v[0], kLeastGeometric));
}

void recip_rank(const Ranking& r, const Arguments&, Values v) {
  v[0] = reciprocal_rank(r.grades, r.level);
}

void iprec_at_recall(const Ranking& r, const Arguments& a, Values v) {
  std::ranges::copy(interpolated(r, a), v.begin());
}

void eleven_point(const Ranking& r, const Arguments& a, Values v) {
  // Added from the highest recall down, as there.
  const std::vector<double> values = interpolated(r, a);
  for (std::size_t i = values.size(); i-- > 0;) v[0] += values[i];
  v[0] /= count(values.size());
}

void precision(const Ranking& r, const Arguments& a, Values v) {
  at_cutoffs(r, a, [&](std::size_t k, double found, double cutoff) { v[k] = found / cutoff; });
}

void recall(const Ranking& r, const Arguments& a, Values v) {
  if (r.relevant == 0) return;
  at_cutoffs(r, a, [&](std::size_t k, double found, double) { v[k] = found / count(r.relevant); });
}

void relative_precision(const Ranking& r, const Arguments& a, Values v) {
  if (r.relevant == 0) return;
  at_cutoffs(r, a, [&](std::size_t k, double found, double cutoff) {
    v[k] = found / std::min(cutoff, count(r.relevant));
  });
}

void success(const Ranking& r, const Arguments& a, Values v) {
  at_cutoffs(r, a, [&](std::size_t k, double found, double) { v[k] = found > 0; });
}

void map_cut(const Ranking& r, const Arguments& a, Values v) {
  if (r.relevant == 0) return;
  double sum = 0, found = 0;
  std::size_t at = 0;
  for (std::size_t k = 0; k < a.numbers.size(); ++k) {
    const auto cutoff = static_cast<std::size_t>(a.numbers[k]);
    for (; at < std::min(cutoff, r.grades.size()); ++at)
      if (r.grades[at] >= r.level) sum += ++found / count(at + 1);
    v[k] = sum / count(r.relevant);
  }
}

void inf_ap(const Ranking& r, const Arguments&, Values v) {
  v[0] = inferred_precision_sum(r.grades, r.level);
  if (r.relevant > 0) v[0] /= count(r.relevant);
}

void utility(const Ranking& r, const Arguments& a, Values v) {
  const double retrieved = count(r.grades.size()), both = count(r.relevant_retrieved);
  v[0] = a.numbers[0] * both + a.numbers[1] * (retrieved - both) +
         a.numbers[2] * (count(r.relevant) - both) +
         a.numbers[3] * (count(r.collection_size) + both - retrieved - count(r.relevant));
}

void bin_g(const Ranking& r, const Arguments&, Values v) {
  double sum = 0;
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < r.grades.size(); ++i)
    if (r.grades[i] >= r.level) {
      ++found;
      sum += 1.0 / std::log2(count(3 + i - found));
    }
  if (found > 0) v[0] = sum / count(r.relevant);
}

void yaap(const Ranking& r, const Arguments&, Values v) {
  const double sum = precision_sum(r.grades, r.level);
  v[0] = std::log((1.0 + sum) / (1.0 + count(r.relevant) - sum));
}

void set_precision(const Ranking& r, const Arguments&, Values v) {
  if (!r.grades.empty()) v[0] = count(r.relevant_retrieved) / count(r.grades.size());
}

void set_relative_precision(const Ranking& r, const Arguments&, Values v) {
  if (!r.grades.empty() && r.relevant > 0)
    v[0] =
        count(r.relevant_retrieved) / count(std::min<std::uint64_t>(r.grades.size(), r.relevant));
}

void set_recall(const Ranking& r, const Arguments&, Values v) {
  if (r.relevant > 0) v[0] = count(r.relevant_retrieved) / count(r.relevant);
}

void set_map(const Ranking& r, const Arguments&, Values v) {
  if (r.grades.empty() || r.relevant == 0) return;
  v[0] = count(r.relevant_retrieved) * count(r.relevant_retrieved) /
         (count(r.grades.size()) * count(r.relevant));
}

void set_f(const Ranking& r, const Arguments& a, Values v) {
  if (r.relevant_retrieved == 0) return;
  const double x = a.numbers[0], p = count(r.relevant_retrieved) / count(r.grades.size()),
               recall = count(r.relevant_retrieved) / count(r.relevant);
  v[0] = (x + 1.0) * p * recall / (x * p + recall);
}

void unjudged(const Ranking& r, const Arguments& a, Values v) {
  for (std::size_t k = 0; k < a.numbers.size(); ++k) {
    const auto cutoff = std::min(static_cast<std::size_t>(a.numbers[k]), r.grades.size());
    v[k] = count(cutoff - relevant_in(Grades(r.grades).first(cutoff), 0)) / a.numbers[k];
  }
}

void rbp_residual(const Ranking& r, const Arguments& a, Values v) {
  double sum = 0, weight = 1;
  bool any = false;
  for (const double grade : r.grades) {
    if (grade < 0) {
      any = true;
      sum += weight;
    }
    weight = weight * a.p;
  }
  if (any) v[0] = weight + (1 - a.p) * sum;
}

}  // namespace ragline::trec
