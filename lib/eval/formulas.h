#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

// The sums that measures are made of. Grades are by rank; a document is relevant from `level` up.
// Each loop adds in the order of ranks, as trec_eval does, so that the last digit agrees.
namespace ragline {

using Grades = std::span<const double>;

// Gains of 2^grade - 1 stay finite: a grade above this counts as this.
inline constexpr double kMostExponent = 1000;

std::uint64_t relevant_in(Grades grades, double level);
// Sum over relevant documents of (relevant ones so far / rank): average precision before its
// division by the number of relevant documents.
double precision_sum(Grades grades, double level);
// 1 / rank of the first relevant document; 0 when there is none.
double reciprocal_rank(Grades grades, double level);
// Number of judged documents at or above level; `ideal` descends.
std::uint64_t relevant_judged(Grades ideal, double level);
// Buckley and Voorhees 2004, as trec_eval computes it; before the division by R.
double bpref_sum(Grades grades, Grades ideal, double level);
// Yilmaz and Aslam 2006; before the division by R.
double inferred_precision_sum(Grades grades, double level);
// Interpolated precision at each number of relevant documents in `counts`, which ascends: the
// greatest precision at that many or more. Values of counts that are never reached are 0.
void interpolated_precision(Grades grades, double level, std::span<const std::uint64_t> counts,
                            std::span<double> values);

}  // namespace ragline
