#include "select/quality.h"

#include <algorithm>

#include "select/dot.h"
#include "select/relevance.h"

namespace ragline {

namespace {
constexpr std::size_t kSurest = 3;
}

std::vector<double> quality_features(std::span<const float> rows, std::size_t dimensions,
                                     std::span<const double> relevance,
                                     std::span<const float> query) {
  const std::size_t size = relevance.size();
  std::vector<double> to_query(size), to_surest(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto row = rows.subspan(i * dimensions, dimensions);
    if (!query.empty()) to_query[i] = dot(row, query);
    std::size_t others = 0;
    for (std::size_t j = 0; j < size && others < kSurest; ++j) {
      if (j == i) continue;
      to_surest[i] += dot(row, rows.subspan(j * dimensions, dimensions));
      ++others;
    }
    if (others > 0) to_surest[i] /= static_cast<double>(others);
  }
  to_query = z_scores(to_query);
  to_surest = z_scores(to_surest);
  std::vector<double> out;
  for (std::size_t i = 0; i < size; ++i)
    out.insert(out.end(), {relevance[i], to_query[i], to_surest[i]});
  return out;
}

std::vector<double> weighted_quality(std::span<const double> features,
                                     const QualityWeights& weights) {
  std::vector<double> out(features.size() / kFeatures);
  for (std::size_t i = 0; i < features.size(); ++i)
    out[i / kFeatures] += weights[i % kFeatures] * features[i];
  return out;
}

}  // namespace ragline
