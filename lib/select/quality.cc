#include "select/quality.h"

#include <algorithm>
#include <string>

#include "core/text.h"
#include "select/dot.h"
#include "select/relevance.h"

namespace ragline {

namespace {

constexpr std::size_t kSurest = 3, kShortestName = 3;

std::string name_of(std::string_view title) {
  if (title.ends_with(')')) title = title.substr(0, title.rfind('('));
  return ascii_lower(trim(title));
}

// Columns 3 and 4: who is named by the surest of the others, and by the question.
void add_mentions(std::span<const CandidateText> texts, std::string_view question,
                  std::vector<double>& features) {
  std::vector<std::string> surest;
  for (std::size_t j = 0; j < std::min(kSurest, texts.size()); ++j)
    surest.push_back(ascii_lower(texts[j].text));
  const std::string asked = ascii_lower(question);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string name = name_of(texts[i].title);
    if (name.size() < kShortestName) continue;
    for (std::size_t j = 0; j < surest.size(); ++j)
      if (name_of(texts[j].title) != name && surest[j].find(name) != std::string::npos)
        features[i * kFeatures + 3] = 1;
    if (asked.find(name) != std::string::npos) features[i * kFeatures + 4] = 1;
  }
}

}  // namespace

std::vector<double> quality_features(std::span<const float> rows, std::size_t dimensions,
                                     std::span<const double> relevance,
                                     std::span<const float> query,
                                     std::span<const CandidateText> texts,
                                     std::string_view question) {
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
    out.insert(out.end(), {relevance[i], to_query[i], to_surest[i], 0, 0});
  add_mentions(texts, question, out);
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
