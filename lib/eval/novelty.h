#pragma once
#include <span>
#include <vector>

#include "eval/measure.h"

// The measures of novelty (alpha-nDCG, ERR-IA, NRBP and their kin): a sum over ranks of a discount
// times what the hit there adds, over the same sum of a better list. Each repetition of a subtopic
// adds 1 - alpha of the one before. As in ndeval, whose values the tests compare.
namespace ragline::ours {

// By rank from 1.
using Discount = double (*)(std::size_t rank, const MeasureArguments&);
double log_discount(std::size_t rank, const MeasureArguments&);         // 1 / log2(rank + 1)
double reciprocal_discount(std::size_t rank, const MeasureArguments&);  // 1 / rank
double geometric_discount(std::size_t rank, const MeasureArguments&);   // beta^(rank - 1)

using NoveltySum = double (*)(const Ranking&, const MeasureArguments&, Discount);
// Of the ranking, and its mean over all orders of tied hits (expected_aspects.cc).
double discounted_novelty(const Ranking&, const MeasureArguments&, Discount);
double expected_novelty(const Ranking&, const MeasureArguments&, Discount);
// Of the list that takes the best judged document at each rank.
double greedy_novelty(const Ranking&, const MeasureArguments&, Discount);
// Of a list down to the cut-off whose every document holds every subtopic.
double perfect_novelty(const Ranking&, const MeasureArguments&, Discount);
// The same of an endless list, for geometric_discount.
double endless_novelty(const Ranking&, const MeasureArguments&, Discount);

template <NoveltySum part, NoveltySum whole, Discount discount>
void novelty_share(const Ranking& ranking, const MeasureArguments& arguments,
                   std::span<double> values) {
  const double sum = part(ranking, arguments, discount);
  if (sum > 0) values[0] = sum / whole(ranking, arguments, discount);
}

// How many judged documents hold each subtopic.
std::vector<double> documents_by_aspect(const Ranking&);

}  // namespace ragline::ours
