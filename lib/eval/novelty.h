#pragma once
#include <vector>

#include "eval/measure.h"

// What the measures of novelty (alpha-nDCG, ERR-IA, NRBP and their kin) divide by, and by what they
// discount a rank. As in ndeval, whose values the tests compare.
namespace ragline::ours {

// By rank from 1.
using Discount = double (*)(std::size_t rank, const MeasureArguments&);
double log_discount(std::size_t rank, const MeasureArguments&);         // 1 / log2(rank + 1)
double reciprocal_discount(std::size_t rank, const MeasureArguments&);  // 1 / rank
double geometric_discount(std::size_t rank, const MeasureArguments&);   // beta^(rank - 1)

// Of the list that takes the best judged document at each rank.
double greedy_novelty(const Ranking&, const MeasureArguments&, Discount);
// Of a list down to the cut-off whose every document holds every subtopic.
double perfect_novelty(const Ranking&, const MeasureArguments&, Discount);
// The same of an endless list, discounted by beta^(rank - 1).
double perfect_geometric_novelty(const Ranking&, const MeasureArguments&);

// How many judged documents hold each subtopic.
std::vector<double> documents_by_aspect(const Ranking&);

}  // namespace ragline::ours
