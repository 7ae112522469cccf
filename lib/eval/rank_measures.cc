#include "eval/rank_measures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "eval/formulas.h"

// Every value of a query without relevant documents, or without hits, is 0: no NaN comes out of
// here.
namespace ragline::ours {

namespace {

double count(std::uint64_t n) { return static_cast<double>(n); }

// A ranking as a measure's arguments have it: cut, without unjudged hits, with a level of its own.
class View {
 public:
  View(const Ranking& ranking, const Arguments& arguments)
      : level_(arguments.level.value_or(ranking.level)), grades_(ranking.grades) {
    if (arguments.judged_only) {
      for (const double grade : ranking.grades)
        if (grade >= 0) judged_.push_back(grade);
      grades_ = judged_;
    }
    whole_ = grades_.size();
    grades_ = grades_.first(std::min(grades_.size(), arguments.cutoff));
    relevant_ = relevant_judged(ranking.ideal, level_);
  }
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  Grades grades() const { return grades_; }
  double level() const { return level_; }
  double relevant() const { return count(relevant_); }
  double found() const { return count(relevant_in(grades_, level_)); }
  // What P@k divides by: k, or all hits when there is no k.
  double depth(const Arguments& arguments) const {
    return arguments.cutoff == SIZE_MAX ? count(whole_) : count(arguments.cutoff);
  }

 private:
  double level_;
  std::vector<double> judged_;
  Grades grades_;
  std::size_t whole_ = 0;
  std::uint64_t relevant_ = 0;
};

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

double harmonic(double precision, double recall, double beta) {
  return ratio((1 + beta * beta) * precision * recall, beta * beta * precision + recall);
}

double gain_of(double grade, const Arguments& arguments) {
  for (const auto& [from, gain] : arguments.gains)
    if (grade == from) return gain;
  if (grade <= 0) return 0;
  return arguments.exponential ? std::exp2(std::min(grade, kMostExponent)) - 1 : grade;
}

double dcg_of(Grades grades, const Arguments& arguments) {
  double sum = 0;
  for (std::size_t i = 0; i < grades.size(); ++i)
    if (const double gain = gain_of(grades[i], arguments); gain != 0)
      sum += gain / std::log2(count(i + 2));
  return sum;
}

}  // namespace

void precision(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  v[0] = ratio(view.found(), view.depth(a));
}

void recall(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  v[0] = ratio(view.found(), view.relevant());
}

void f1(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  v[0] = harmonic(ratio(view.found(), view.depth(a)), ratio(view.found(), view.relevant()), 1);
}

void average_precision(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  v[0] = ratio(precision_sum(view.grades(), view.level()), view.relevant());
}

void reciprocal_rank(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  v[0] = ragline::reciprocal_rank(view.grades(), view.level());
}

void success(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  v[0] = view.found() > 0;
}

void judged(const Ranking& r, const Arguments& a, Values v) {
  const Grades grades = Grades(r.grades).first(std::min(r.grades.size(), a.cutoff));
  v[0] = ratio(count(relevant_in(grades, 0)), count(grades.size()));
}

void unjudged(const Ranking& r, const Arguments& a, Values v) {
  const Grades grades = Grades(r.grades).first(std::min(r.grades.size(), a.cutoff));
  v[0] = ratio(count(grades.size() - relevant_in(grades, 0)), count(grades.size()));
}

void r_precision(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  const auto looked_at =
      static_cast<std::size_t>(std::min(view.relevant(), count(view.grades().size())));
  v[0] = ratio(count(relevant_in(view.grades().first(looked_at), view.level())), view.relevant());
}

void bpref(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  v[0] = ratio(bpref_sum(view.grades(), r.ideal, view.level()), view.relevant());
}

void inferred_ap(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  v[0] = ratio(inferred_precision_sum(view.grades(), view.level()), view.relevant());
}

void interpolated_precision_at(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  if (view.grades().empty()) return;
  const std::uint64_t wanted[] = {
      static_cast<std::uint64_t>(std::lround(a.numbers[0] * view.relevant()))};
  ragline::interpolated_precision(view.grades(), view.level(), wanted, v);
}

void dcg(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  v[0] = dcg_of(view.grades(), a);
}

void ndcg(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  // Custom gains may turn the order of grades around.
  std::vector<double> ideal = r.ideal;
  std::ranges::stable_sort(ideal,
                           [&](double x, double y) { return gain_of(x, a) > gain_of(y, a); });
  ideal.resize(std::min(ideal.size(), a.cutoff));
  v[0] = ratio(dcg_of(view.grades(), a), dcg_of(ideal, a));
}

double err_stop(double grade, const Arguments& a) {
  return (std::exp2(std::clamp(grade, 0.0, a.max)) - 1) / std::exp2(a.max);
}

void err(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  double still_looking = 1;
  for (std::size_t i = 0; i < view.grades().size(); ++i) {
    const double satisfied = err_stop(view.grades()[i], a);
    v[0] += still_looking * satisfied / count(i + 1);
    still_looking *= 1 - satisfied;
  }
}

void rbp(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  double weight = 1 - a.p;
  for (const double grade : view.grades()) {
    if (grade >= view.level()) v[0] += weight;
    weight *= a.p;
  }
}

void accuracy(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  double above = 0, sum = 0, relevant = 0;
  for (const double grade : view.grades()) {
    if (grade >= view.level()) {
      ++relevant;
      sum += above;
    } else {
      ++above;
    }
  }
  if (relevant > 0) v[0] = above > 0 ? 1 - sum / (above * relevant) : 1;
}

// Rank-biased overlap with the ideal list that is nearest to the ranking: judged documents by
// grade, those of one grade as the ranking has them, what it lacks behind. A document is in both
// lists down to a depth when both of its places are.
void compatibility(const Ranking& r, const Arguments& a, Values v) {
  const auto ideal_size =
      static_cast<std::size_t>(std::ranges::count_if(r.ideal, [](double g) { return g > 0; }));
  const std::size_t depth = std::max(r.grades.size(), ideal_size);
  std::vector<std::uint32_t> joined(depth + 1);  // documents whose later place is there
  std::map<double, std::size_t> next_place;      // by grade
  for (std::size_t i = 0; i < r.grades.size(); ++i) {
    const double grade = r.grades[i];
    if (grade <= 0) continue;
    const auto better = std::ranges::lower_bound(r.ideal, grade, std::greater());
    const std::size_t place =
        static_cast<std::size_t>(better - r.ideal.begin()) + next_place[grade]++;
    ++joined[std::max(i, place)];
  }
  double overlap = 0, sum = 0, best = 0, weights = 0, weight = 1;
  for (std::size_t i = 0; i < depth; ++i) {
    overlap += joined[i];
    sum += weight * overlap / count(i + 1);
    best += weight * count(std::min(i + 1, ideal_size)) / count(i + 1);
    weights += weight;
    weight *= a.p;
  }
  v[0] = a.normalize ? ratio(sum, best) : ratio(sum, weights);
}

void set_precision(const Ranking& r, const Arguments& a, Values v) { precision(r, a, v); }
void set_recall(const Ranking& r, const Arguments& a, Values v) { recall(r, a, v); }

void set_f(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  v[0] = harmonic(ratio(view.found(), count(view.grades().size())),
                  ratio(view.found(), view.relevant()), a.beta);
}

void set_ap(const Ranking& r, const Arguments& a, Values v) {
  const View view(r, a);
  v[0] = ratio(view.found(), count(view.grades().size())) * ratio(view.found(), view.relevant());
}

void num_q(const Ranking&, const Arguments&, Values v) { v[0] = 1; }
void num_ret(const Ranking& r, const Arguments&, Values v) { v[0] = count(r.grades.size()); }
void num_rel(const Ranking& r, const Arguments& a, Values v) { v[0] = View(r, a).relevant(); }
void num_rel_ret(const Ranking& r, const Arguments& a, Values v) { v[0] = View(r, a).found(); }

}  // namespace ragline::ours
