#pragma once
#include <span>
#include <vector>

// Scores of any scale (BM25, cosine, a reranker's logits) made comparable with spread.
namespace ragline {

// Mean 0 and standard deviation 1 (of the population); all 0 when the scores are equal. What dpp
// and ssd weigh: a score two deviations up counts the same whatever made it.
std::vector<double> z_scores(std::span<const double> scores);

// From 0, the lowest, to 1, the highest; all 1 when the scores are equal. What methods that add
// relevance to similarities weigh.
std::vector<double> unit_scores(std::span<const double> scores);

}  // namespace ragline
