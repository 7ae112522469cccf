#include "select/loss.h"

#include <algorithm>
#include <cmath>
#include <eigen3/Eigen/Cholesky>

namespace ragline {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
double sigmoid(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

double log_det_of(const Eigen::LLT<Matrix>& factor) {
  double out = 0;
  for (Eigen::Index i = 0; i < factor.rows(); ++i) out += 2 * std::log(factor.matrixLLT()(i, i));
  return out;
}

struct Valued {
  const CandidateSet* set;
  double value;
  std::vector<double> inverse;
};

std::optional<Valued> value_of(std::span<const double> gram, std::span<const double> relevance,
                               const CandidateSet& set, const LossShape& shape) {
  Valued out{&set, 0, {}};
  const auto log_det = set_log_det(gram, relevance.size(), set, shape.jitter, &out.inverse);
  if (!log_det) return std::nullopt;
  out.value = *log_det;
  for (const std::uint32_t i : set) out.value += relevance[i];
  return out;
}

void scatter(const Valued& one, double weight, std::size_t size, SetGradient& gradient) {
  const CandidateSet& set = *one.set;
  for (std::size_t a = 0; a < set.size(); ++a) {
    gradient.relevance[set[a]] += weight;
    for (std::size_t b = 0; b < set.size(); ++b)
      gradient.gram[set[a] * size + set[b]] += weight * one.inverse[a * set.size() + b];
  }
}

}  // namespace

std::optional<double> set_log_det(std::span<const double> gram, std::size_t size,
                                  const CandidateSet& set, double jitter,
                                  std::vector<double>* inverse) {
  const auto k = static_cast<Eigen::Index>(set.size());
  Matrix part(k, k);
  for (Eigen::Index a = 0; a < k; ++a)
    for (Eigen::Index b = 0; b < k; ++b)
      part(a, b) = gram[set[static_cast<std::size_t>(a)] * size + set[static_cast<std::size_t>(b)]];
  for (int attempt = 0; attempt < 5; ++attempt, jitter *= 10) {
    Matrix shifted = part;
    shifted.diagonal().array() += jitter;
    const Eigen::LLT<Matrix> factor(shifted);
    if (factor.info() != Eigen::Success) continue;
    if (inverse) {
      const Matrix solved = factor.solve(Matrix::Identity(k, k));
      inverse->assign(solved.data(), solved.data() + k * k);
    }
    return log_det_of(factor);
  }
  return std::nullopt;
}

std::optional<SetLoss> diverse_margin_loss(std::span<const double> gram,
                                           std::span<const double> relevance,
                                           const CandidateSet& positive,
                                           const std::vector<CandidateSet>& negatives,
                                           const LossShape& shape, SetGradient& gradient) {
  const auto good = value_of(gram, relevance, positive, shape);
  if (!good) return std::nullopt;
  std::vector<Valued> bad;
  for (const CandidateSet& negative : negatives)
    if (auto one = value_of(gram, relevance, negative, shape)) bad.push_back(std::move(*one));
  if (bad.empty()) return std::nullopt;

  const double most = std::ranges::max(bad, {}, &Valued::value).value;
  double sum = 0;
  for (const Valued& one : bad) sum += std::exp((one.value - most) / shape.tau);
  const double lse = most + shape.tau * std::log(sum);
  const double excess = (lse - good->value + shape.margin) / shape.tau;
  const double sigma = sigmoid(excess);

  SetLoss out{shape.tau * softplus(excess),
              good->value - lse + shape.tau * std::log(static_cast<double>(bad.size()))};
  scatter(*good, -sigma, relevance.size(), gradient);
  for (const Valued& one : bad) {
    const double weight = sigma * std::exp((one.value - most) / shape.tau) / sum;
    scatter(one, weight, relevance.size(), gradient);
  }
  return out;
}

std::optional<SetLoss> likelihood_loss(std::span<const double> gram,
                                       std::span<const double> relevance,
                                       const CandidateSet& positive, const LossShape& shape,
                                       SetGradient& gradient) {
  const auto good = value_of(gram, relevance, positive, shape);
  if (!good) return std::nullopt;
  const auto size = static_cast<Eigen::Index>(relevance.size());
  Eigen::VectorXd quality(size);
  for (Eigen::Index i = 0; i < size; ++i)
    quality[i] = std::exp(relevance[static_cast<std::size_t>(i)] / 2);
  Matrix kernel = Eigen::Map<const Matrix>(gram.data(), size, size);
  kernel.diagonal().array() += shape.jitter;
  kernel = quality.asDiagonal() * kernel * quality.asDiagonal();
  kernel.diagonal().array() += 1;
  const Eigen::LLT<Matrix> factor(kernel);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const Matrix inverse = factor.solve(Matrix::Identity(size, size));

  SetLoss out{log_det_of(factor) - good->value, 0};
  out.margin = -out.loss;
  Eigen::Map<Matrix>(gradient.gram.data(), size, size) +=
      quality.asDiagonal() * inverse * quality.asDiagonal();
  scatter(*good, -1, relevance.size(), gradient);
  for (Eigen::Index i = 0; i < size; ++i)
    gradient.relevance[static_cast<std::size_t>(i)] += 1 - inverse(i, i);
  return out;
}

}  // namespace ragline
