#include "eval/formulas.h"

#include <algorithm>

#include "eval/ranking.h"

namespace ragline {

std::uint64_t relevant_in(Grades grades, double level) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(grades, [&](double grade) { return grade >= level; }));
}

double precision_sum(Grades grades, double level) {
  double sum = 0;
  std::uint64_t relevant = 0;
  for (std::size_t i = 0; i < grades.size(); ++i)
    if (grades[i] >= level) sum += static_cast<double>(++relevant) / static_cast<double>(i + 1);
  return sum;
}

double reciprocal_rank(Grades grades, double level) {
  for (std::size_t i = 0; i < grades.size(); ++i)
    if (grades[i] >= level) return 1.0 / static_cast<double>(i + 1);
  return 0;
}

std::uint64_t relevant_judged(Grades ideal, double level) {
  return static_cast<std::uint64_t>(
      std::ranges::partition_point(ideal, [&](double grade) { return grade >= level; }) -
      ideal.begin());
}

double bpref_sum(Grades grades, Grades ideal, double level) {
  const std::uint64_t relevant = relevant_judged(ideal, level);
  const auto bound =
      static_cast<double>(std::min<std::uint64_t>(ideal.size() - relevant, relevant));
  double sum = 0;
  std::uint64_t above = 0;  // judged not relevant
  for (const double grade : grades) {
    if (grade == kUnpooled || grade == kPooledUnjudged) continue;
    if (grade < level) {
      ++above;
    } else {
      sum += above == 0 ? 1.0 : 1.0 - static_cast<double>(std::min(above, relevant)) / bound;
    }
  }
  return sum;
}

double inferred_precision_sum(Grades grades, double level) {
  constexpr double kEpsilon = .00001;
  double sum = 0;
  double relevant = 0, not_relevant = 0, pooled = 0;
  for (std::size_t i = 0; i < grades.size(); ++i) {
    if (grades[i] == kUnpooled) continue;
    if (grades[i] == kPooledUnjudged) {
      ++pooled;
    } else if (grades[i] < level) {
      ++not_relevant;
    } else {
      const auto rank = static_cast<double>(i);
      if (i == 0)
        sum += 1;
      else
        sum +=
            1 / (rank + 1) + rank / (rank + 1) * ((relevant + not_relevant + pooled) / rank) *
                                 ((relevant + kEpsilon) / (relevant + not_relevant + 2 * kEpsilon));
      ++relevant;
    }
  }
  return sum;
}

void interpolated_precision(Grades grades, double level, std::span<const std::uint64_t> counts,
                            std::span<double> values) {
  std::uint64_t relevant = relevant_in(grades, level);
  std::size_t left = counts.size();
  while (left > 0 && counts[left - 1] > relevant) --left;
  // From the end, where the greatest precision at that rank or later is known.
  double best = static_cast<double>(relevant) / static_cast<double>(grades.size());
  for (std::size_t i = grades.size(); i > 0 && relevant > 0; --i) {
    const double precision = static_cast<double>(relevant) / static_cast<double>(i);
    if (best < precision) best = precision;
    if (grades[i - 1] < level) continue;
    while (left > 0 && relevant == counts[left - 1]) values[--left] = best;
    --relevant;
  }
  while (left > 0) values[--left] = best;
}

}  // namespace ragline
