#include "select/sample.h"

#include <algorithm>
#include <cmath>
#include <eigen3/Eigen/Eigenvalues>
#include <limits>

#include "core/text.h"
#include "select/dot.h"

namespace ragline {

namespace {

using Matrix = Eigen::MatrixXd;

// Relative to the largest: eigenvalues that rounding alone made.
constexpr double kNoValue = 1e-13;

double log_add(double a, double b) {
  const double most = std::max(a, b);
  return std::isinf(most) ? most : most + std::log1p(std::exp(std::min(a, b) - most));
}

// Rows q_i u_i, u_i at unit length unless the pool keeps lengths.
Matrix weighted_rows(const Pool& pool, const std::vector<double>& quality) {
  Matrix rows(pool.size, pool.dimensions);
  for (std::size_t i = 0; i < pool.size; ++i) {
    const auto row = pool.row(i);
    const double scale = quality[i] / (pool.keep_lengths ? 1 : std::sqrt(dot(row, row)));
    for (std::size_t d = 0; d < row.size(); ++d)
      rows(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(d)) =
          scale * static_cast<double>(row[d]);
  }
  return rows;
}

}  // namespace

std::vector<double> log_elementary(std::span<const double> values, std::size_t k) {
  const std::size_t width = values.size() + 1;
  std::vector<double> out((k + 1) * width, -std::numeric_limits<double>::infinity());
  std::fill_n(out.begin(), width, 0.0);
  for (std::size_t j = 1; j <= k; ++j)
    for (std::size_t n = 1; n < width; ++n)
      out[j * width + n] =
          log_add(out[j * width + n - 1], std::log(values[n - 1]) + out[(j - 1) * width + n - 1]);
  return out;
}

Result<DppSampler> DppSampler::create(const Pool& pool, double theta, double jitter) {
  const bool dual = jitter == 0 && pool.dimensions < pool.size;
  if (!dual && pool.size > kMostPrimal)
    return fail(ErrorKind::kLimit,
                cat(pool.size, " candidates: sampling takes ", kMostPrimal,
                    " with --jitter above 0: ask for fewer, or give --jitter 0"));
  std::vector<double> quality;
  for (const double r : pool.relevance) quality.push_back(std::exp(theta * r / 2));
  const Matrix rows = weighted_rows(pool, quality);
  Matrix kernel = dual ? Matrix(rows.transpose() * rows) : Matrix(rows * rows.transpose());
  for (std::size_t i = 0; !dual && i < pool.size; ++i)
    kernel(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)) +=
        jitter * quality[i] * quality[i];

  DppSampler sampler;
  sampler.size_ = pool.size;
  if (pool.size == 0) return sampler;
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(kernel);
  const double least = kNoValue * solver.eigenvalues().maxCoeff();
  for (Eigen::Index j = 0; j < kernel.rows(); ++j) {
    const double value = solver.eigenvalues()[j];
    if (value <= least) continue;
    sampler.values_.push_back(value);
    // B w / sqrt(l) is an eigenvector of B B^T where w is one of B^T B.
    const Eigen::VectorXd vector =
        dual ? Eigen::VectorXd(rows * solver.eigenvectors().col(j) / std::sqrt(value))
             : Eigen::VectorXd(solver.eigenvectors().col(j));
    sampler.vectors_.insert(sampler.vectors_.end(), vector.begin(), vector.end());
  }
  return sampler;
}

std::vector<std::uint32_t> DppSampler::draw(Random& random) const {
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t j = 0; j < values_.size(); ++j)
    if (random.uniform() < values_[j] / (1 + values_[j])) chosen.push_back(j);
  return draw_projection(chosen, random);
}

std::vector<std::uint32_t> DppSampler::draw(std::size_t k, Random& random) const {
  const std::size_t width = values_.size() + 1;
  const auto table = log_elementary(values_, k);
  std::vector<std::uint32_t> chosen;
  // Backwards: eigenvector n - 1 is among the k left with its share of e_k of the first n.
  for (std::size_t n = values_.size(); k > 0; --n) {
    const double share =
        std::log(values_[n - 1]) + table[(k - 1) * width + n - 1] - table[k * width + n];
    if (n > k && random.uniform() >= std::exp(share)) continue;
    chosen.push_back(static_cast<std::uint32_t>(n - 1));
    --k;
  }
  return draw_projection(chosen, random);
}

// The projection V V^T onto k eigenvectors, candidate by candidate: the next is i with probability
// proportional to what of row i of V lies outside the rows chosen, kept by a Cholesky factor as in
// residuals.h.
std::vector<std::uint32_t> DppSampler::draw_projection(const std::vector<std::uint32_t>& vectors,
                                                       Random& random) const {
  std::vector<double> outside(size_, 0);
  for (const std::uint32_t j : vectors)
    for (std::size_t i = 0; i < size_; ++i)
      outside[i] += vectors_[j * size_ + i] * vectors_[j * size_ + i];
  std::vector<std::vector<double>> factor;
  std::vector<std::uint32_t> out;
  while (out.size() < vectors.size()) {
    double total = 0;
    for (const double share : outside) total += share;
    double left = random.uniform() * total;
    std::uint32_t pick = 0;
    for (std::uint32_t i = 0; i < size_; ++i) {
      if (outside[i] == 0) continue;
      pick = i;
      left -= outside[i];
      if (left < 0) break;
    }
    std::vector<double> column(size_, 0);
    for (const std::uint32_t j : vectors)
      for (std::size_t i = 0; i < size_; ++i)
        column[i] += vectors_[j * size_ + pick] * vectors_[j * size_ + i];
    for (const auto& known : factor)
      for (std::size_t i = 0; i < size_; ++i) column[i] -= known[pick] * known[i];
    const double length = std::sqrt(outside[pick]);
    for (std::size_t i = 0; i < size_; ++i) {
      column[i] /= length;
      outside[i] = std::max(outside[i] - column[i] * column[i], 0.0);
    }
    outside[pick] = 0;
    factor.push_back(std::move(column));
    out.push_back(pick);
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace ragline
