#include "select/gradcheck.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "select/loss.h"
#include "select/network.h"

namespace ragline {

namespace {

constexpr std::size_t kDimensions = 12, kWidth = 5, kSize = 9, kNegatives = 7;
constexpr double kStep = 3e-4, kBend = 4e-3;

struct Problem {
  NetworkShape shape;
  bool likelihood = false;
  std::vector<double> rows, query, features;
  CandidateSet positive;
  std::vector<CandidateSet> negatives;
  LossShape loss{.jitter = 1e-3, .tau = 0.7, .margin = 0.5};
};

std::vector<double> random_units(std::size_t count, Random& random) {
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i) {
    double square = 0;
    const std::size_t from = out.size();
    for (std::size_t d = 0; d < kDimensions; ++d) {
      out.push_back(random.normal());
      square += out.back() * out.back();
    }
    for (std::size_t d = from; d < out.size(); ++d) out[d] /= std::sqrt(square);
  }
  return out;
}

CandidateSet random_set(std::size_t k, Random& random) {
  CandidateSet all(kSize);
  for (std::uint32_t i = 0; i < kSize; ++i) all[i] = i;
  for (std::size_t i = 0; i < k; ++i) std::swap(all[i], all[i + random.below(kSize - i)]);
  all.resize(k);
  std::ranges::sort(all);
  return all;
}

Problem random_problem(const NetworkShape& shape, bool likelihood, Random& random) {
  Problem out;
  out.shape = shape;
  out.likelihood = likelihood;
  out.rows = random_units(kSize, random);
  if (shape.conditioned) out.query = random_units(1, random);
  for (std::size_t i = 0; i < kSize * kFeatures; ++i) out.features.push_back(random.normal());
  const std::size_t k = 2 + random.below(3);
  out.positive = random_set(k, random);
  while (out.negatives.size() < kNegatives)
    if (CandidateSet set = random_set(k, random); set != out.positive)
      out.negatives.push_back(std::move(set));
  return out;
}

// The loss, and its gradient where asked for.
double value_of(const Problem& problem, const std::vector<double>& parameters,
                Activations<double>& activations, std::vector<double>* gradient) {
  forward<double>(problem.shape, parameters, problem.rows, problem.query, activations);
  const auto gram = gram_of<double>(activations.outputs, kDimensions);
  QualityWeights weights;
  for (std::size_t f = 0; f < kFeatures; ++f)
    weights[f] = parameters[problem.shape.quality_at() + f];
  const auto relevance = weighted_quality(problem.features, weights);
  SetGradient sets(kSize);
  const auto loss = problem.likelihood
                        ? likelihood_loss(gram, relevance, problem.positive, problem.loss, sets)
                        : diverse_margin_loss(gram, relevance, problem.positive, problem.negatives,
                                              problem.loss, sets);
  if (gradient) {
    auto du = times_rows<double>(sets.gram, 2, activations.outputs, kDimensions);
    backward<double>(problem.shape, parameters, activations, du, *gradient);
    for (std::size_t i = 0; i < problem.features.size(); ++i)
      (*gradient)[problem.shape.quality_at() + i % kFeatures] +=
          sets.relevance[i / kFeatures] * problem.features[i];
  }
  return loss->loss;
}

}  // namespace

std::vector<GradientCheck> check_gradients(std::size_t entries, std::uint64_t seed) {
  std::vector<GradientCheck> out;
  Random random(seed);
  for (int kind = 0; kind < 16; ++kind) {
    const NetworkShape shape{.dimensions = kDimensions,
                             .width = kWidth,
                             .activation = kind & 2 ? Activation::kRelu : Activation::kGelu,
                             .normalise = (kind & 4) != 0,
                             .conditioned = (kind & 8) != 0};
    GradientCheck check{.name = cat(kind & 1 ? "nll" : "dml", kind & 2 ? " relu" : " gelu",
                                    shape.normalise ? " normalised" : "",
                                    shape.conditioned ? " conditioned" : "")};
    while (check.entries < entries) {
      const Problem problem = random_problem(shape, kind & 1, random);
      std::vector<double> parameters(shape.parameters()), gradient(shape.parameters());
      for (double& value : parameters) value = 0.5 * random.normal();
      Activations<double> activations;
      value_of(problem, parameters, activations, &gradient);
      if (shape.activation == Activation::kRelu &&
          std::ranges::any_of(activations.before, [](double a) { return std::abs(a) < kBend; }))
        continue;
      for (int probe = 0; probe < 10 && check.entries < entries; ++probe, ++check.entries) {
        const std::size_t at = probe == 0 ? shape.quality_at() + random.below(kFeatures)
                                          : random.below(shape.parameters());
        const double kept = parameters[at];
        const auto moved = [&](double steps) {
          parameters[at] = kept + steps * kStep;
          return value_of(problem, parameters, activations, nullptr);
        };
        // Five points: what two leave of rounding at smaller steps is above the tolerance.
        const double numeric = (8 * (moved(1) - moved(-1)) - (moved(2) - moved(-2))) / (12 * kStep);
        parameters[at] = kept;
        check.worst =
            std::max(check.worst, std::abs(numeric - gradient[at]) /
                                      std::max(1e-6, std::abs(numeric) + std::abs(gradient[at])));
      }
    }
    out.push_back(std::move(check));
  }
  return out;
}

}  // namespace ragline
