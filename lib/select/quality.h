#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

// What makes a candidate relevant, beside the order it came in, when the weights of it are learnt
// with an adapter: r_i = sum over f of weight_f * feature_f(i).
//
//   0  its first-stage score
//   1  the cosine with the query's vector; 0 for all where there is none
//   2  the mean cosine with the best three of the others: what it has in common with what the
//      first stage is surest of, which a second hop shares with the first
//   3  1 where the text of one of the best three others names it by its title: a bridge to the
//      second hop, which the question does not name
//   4  1 where the question names it by its title
//
// The first three are z-scores over the query's candidates. Few weights over what depends on the
// query carry over to evidence that training has not seen; a map of the candidate's vector alone
// does not.
namespace ragline {

inline constexpr std::size_t kFeatures = 5;
using QualityWeights = std::array<double, kFeatures>;

// What a candidate is called and says; names are compared without case and without what stands in
// brackets at their end ("Dune (film)").
struct CandidateText {
  std::string_view title, text;
};

// kFeatures values a candidate, row by row. rows: unit length, in first-stage order; relevance:
// z-scores; query: unit length, or empty; texts: one a candidate, or empty.
std::vector<double> quality_features(std::span<const float> rows, std::size_t dimensions,
                                     std::span<const double> relevance,
                                     std::span<const float> query,
                                     std::span<const CandidateText> texts = {},
                                     std::string_view question = {});

// r of each candidate.
std::vector<double> weighted_quality(std::span<const double> features,
                                     const QualityWeights& weights);

}  // namespace ragline
