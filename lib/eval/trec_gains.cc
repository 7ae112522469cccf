#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "eval/trec_measures.h"

// trec_eval's measures of gains. A grade's gain is the grade itself unless the measure's arguments
// give it another. The ideal list runs through the gains downwards, each as often as its grade was
// judged, and ends at the first that is not above 0.
namespace ragline::trec {

namespace {

struct Gain {
  double grade = 0, gain = 0;
  std::uint64_t judged = 0;
};

// trec_eval compares two gains by their difference cut to a whole number, so gains less than 1
// apart count as equal and stay where its merge sort leaves them. For the same output the same
// sort: halves, the left one smaller, merged with the left one first among equals.
void sort_gains(std::span<Gain> gains) {
  if (gains.size() < 2) return;
  const std::size_t half = gains.size() / 2;
  sort_gains(gains.first(half));
  sort_gains(gains.subspan(half));
  std::vector<Gain> merged;
  std::size_t left = 0, right = half;
  while (left < half && right < gains.size())
    merged.push_back(std::trunc(gains[left].gain - gains[right].gain) <= 0 ? gains[left++]
                                                                           : gains[right++]);
  while (left < half) merged.push_back(gains[left++]);
  while (right < gains.size()) merged.push_back(gains[right++]);
  std::ranges::copy(merged, gains.begin());
}

class GainTable {
 public:
  GainTable(const Ranking& r, const Arguments& a) {
    for (const auto& [grade, gain] : a.gains) gains_.push_back({grade, gain, 0});
    // Grades that nobody gave stand between the others in trec_eval's table and change nothing.
    std::map<double, std::uint64_t> judged;
    for (const double grade : r.ideal) ++judged[grade];
    for (const auto& [grade, count] : judged) {
      const auto known = std::ranges::find(gains_, grade, &Gain::grade);
      if (known != gains_.end())
        known->judged = count;
      else
        gains_.push_back({grade, grade, count});
    }
    sort_gains(gains_);
  }

  double of(double grade) const {
    const auto found = std::ranges::find(gains_, grade, &Gain::grade);
    return found == gains_.end() ? 0 : found->gain;
  }
  std::vector<Gain>& gains() { return gains_; }

 private:
  std::vector<Gain> gains_;
};

// Walks down the ideal list.
class Ideal {
 public:
  explicit Ideal(const std::vector<Gain>& gains) : gains_(gains), at_(gains.size()) { settle(); }
  double gain() const { return gain_; }
  // The gain at the next rank; 0 behind the end.
  void advance() {
    ++used_;
    while (at_ > 0 && used_ > gains_[at_ - 1].judged) {
      used_ = 1;
      --at_;
      settle();
    }
  }

 private:
  void settle() { gain_ = at_ > 0 ? gains_[at_ - 1].gain : 0; }
  const std::vector<Gain>& gains_;
  std::size_t at_;
  std::uint64_t used_ = 0;
  double gain_ = 0;
};

double discounted(double gain, std::size_t i) {
  return gain / std::log2(static_cast<double>(i + 2));
}

struct Sums {
  double results = 0, ideal = 0;
};

// Visits every rank of the list and of the ideal list, the longer of the two.
template <class Visit>
void both_lists(const Ranking& r, GainTable& table, Visit visit) {
  Ideal ideal(table.gains());
  bool ended = !(ideal.gain() > 0);
  for (std::size_t i = 0; i < r.grades.size() || !ended; ++i) {
    const bool in_list = i < r.grades.size();
    const double gain = in_list ? table.of(r.grades[i]) : 0;
    if (!ended) {
      ideal.advance();
      visit(i, in_list, gain, std::max(ideal.gain(), 0.0));
      ended = !(ideal.gain() > 0);
    } else {
      visit(i, in_list, gain, 0.0);
    }
  }
}

Sums dcg_sums(const Ranking& r, const Arguments& a) {
  GainTable table(r, a);
  Sums sums;
  both_lists(r, table, [&](std::size_t i, bool, double gain, double ideal) {
    if (gain != 0) sums.results += discounted(gain, i);
    if (ideal > 0) sums.ideal += discounted(ideal, i);
  });
  return sums;
}

}  // namespace

void dcg(const Ranking& r, const Arguments& a, Values v) { v[0] = dcg_sums(r, a).results; }
void ideal_dcg(const Ranking& r, const Arguments& a, Values v) { v[0] = dcg_sums(r, a).ideal; }
void ndcg(const Ranking& r, const Arguments& a, Values v) {
  const Sums sums = dcg_sums(r, a);
  if (sums.ideal > 0) v[0] = sums.results / sums.ideal;
}

void ndcg_rel(const Ranking& r, const Arguments& a, Values v) {
  GainTable table(r, a);
  Sums sums;
  double sum = 0;
  double relevant = 0, retrieved = 0;
  both_lists(r, table, [&](std::size_t i, bool, double gain, double ideal) {
    if (gain != 0) sums.results += discounted(gain, i);
    if (ideal > 0) {
      ++relevant;
      sums.ideal += discounted(ideal, i);
    }
    if (gain > 0) {
      sum += sums.results / sums.ideal;
      ++retrieved;
    }
  });
  sum += (relevant - retrieved) * sums.results / sums.ideal;
  if (sum > 0) v[0] = sum / relevant;
}

void r_ndcg(const Ranking& r, const Arguments& a, Values v) {
  if (r.relevant == 0) return;
  GainTable table(r, a);
  Sums sums;
  double sum = 0, points = 0;
  const auto take_point = [&] {
    if (!(sums.ideal > 0)) return;
    sum += sums.results / sums.ideal;
    ++points;
  };
  // Where the ideal gain changes, the nDCG up to there counts, and at the end of a list that goes
  // on behind the ideal one.
  double before = table.gains().empty() ? 0 : table.gains().back().gain;
  bool ideal_over = !(before > 0), list_went_on = false;
  Ideal ideal(table.gains());
  std::size_t i = 0;
  for (; i < r.grades.size() || !ideal_over; ++i) {
    const bool in_list = i < r.grades.size();
    if (!ideal_over) {
      ideal.advance();
      if (ideal.gain() != before) {
        take_point();
        before = ideal.gain();
      }
    } else {
      list_went_on = true;
    }
    if (in_list)
      if (const double gain = table.of(r.grades[i]); gain != 0) sums.results += discounted(gain, i);
    if (!ideal_over && ideal.gain() > 0) sums.ideal += discounted(ideal.gain(), i);
    ideal_over = ideal_over || !(ideal.gain() > 0);
  }
  if (list_went_on) take_point();
  if (points > 0 || a.dialect != Dialect::kOurs) v[0] = sum / points;
}

void g(const Ranking& r, const Arguments& a, Values v) {
  constexpr double kLeastCost = 1;
  GainTable table(r, a);
  double sum = 0, gained = 0, cost = 0, ideal_sum = 0;
  both_lists(r, table, [&](std::size_t, bool in_list, double gain, double ideal) {
    ideal_sum += ideal;
    if (!in_list) return;
    gained += gain;
    cost += std::max(ideal, kLeastCost);
    if (gain != 0) sum += gain / std::log2(2 + cost - gained);
  });
  if (ideal_sum > 0) v[0] = sum / ideal_sum;
}

// Without arguments, and blind to grades below 0.
void ndcg_cut(const Ranking& r, const Arguments& a, Values v) {
  double sum = 0;
  std::size_t at = 0;
  for (std::size_t k = 0; k < a.numbers.size(); ++k) {
    const auto cutoff = static_cast<std::size_t>(a.numbers[k]);
    for (; at < std::min(cutoff, r.grades.size()); ++at)
      if (r.grades[at] > 0) sum += discounted(r.grades[at], at);
    v[k] = sum;
  }
  double ideal = 0;
  at = 0;
  for (std::size_t k = 0; k < a.numbers.size(); ++k) {
    const auto cutoff = static_cast<std::size_t>(a.numbers[k]);
    for (; at < std::min(cutoff, r.ideal.size()) && r.ideal[at] > 0; ++at)
      ideal += discounted(r.ideal[at], at);
    if (ideal > 0) v[k] /= ideal;
  }
}

// Gains outside [0, 1] are brought into it.
void rbp(const Ranking& r, const Arguments& a, Values v) {
  GainTable table(r, a);
  double least = 0, most = 0;
  for (const Gain& gain : table.gains()) {
    least = std::min(least, gain.gain);
    most = std::max(most, gain.gain);
  }
  if (least < 0 || most > 1)
    for (Gain& gain : table.gains()) gain.gain = (gain.gain - least) / (most - least);
  double sum = 0, weight = 1;
  for (const double grade : r.grades) {
    if (const double gain = table.of(grade); gain != 0) sum += gain * weight;
    weight = weight * a.p;
  }
  v[0] = (1.0 - a.p) * sum;
}

}  // namespace ragline::trec
