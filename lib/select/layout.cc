#include "select/layout.h"

#include <algorithm>
#include <cmath>
#include <eigen3/Eigen/Eigenvalues>

namespace ragline {

namespace {

using Matrix = Eigen::MatrixXd;

Matrix matrix_of(std::span<const float> rows, std::size_t dimensions, std::size_t most) {
  const std::size_t size = std::min(rows.size() / dimensions, most);
  Matrix out(size, dimensions);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t d = 0; d < dimensions; ++d)
      out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(d)) =
          static_cast<double>(rows[i * dimensions + d]);
  return out;
}

// Columns x and y of the rows on their principal plane.
Matrix principal(Matrix rows) {
  Matrix out = Matrix::Zero(rows.rows(), 2);
  if (rows.rows() < 2) return out;
  rows.rowwise() -= rows.colwise().mean().eval();
  const bool wide = rows.rows() < rows.cols();
  const Matrix products = wide ? Matrix(rows * rows.transpose()) : Matrix(rows.transpose() * rows);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(products);
  for (Eigen::Index axis = 0; axis < std::min<Eigen::Index>(2, products.rows()); ++axis) {
    const Eigen::Index at = products.rows() - 1 - axis;  // eigenvalues ascend
    Eigen::VectorXd along = solver.eigenvectors().col(at);
    along = wide ? Eigen::VectorXd(along * std::sqrt(std::max(solver.eigenvalues()[at], 0.0)))
                 : Eigen::VectorXd(rows * along);
    Eigen::Index largest = 0;
    along.cwiseAbs().maxCoeff(&largest);
    out.col(axis) = along[largest] < 0 ? Eigen::VectorXd(-along) : along;
  }
  return out;
}

std::vector<Place> places_of(const Matrix& plane) {
  std::vector<Place> out;
  for (Eigen::Index i = 0; i < plane.rows(); ++i) out.push_back({plane(i, 0), plane(i, 1)});
  return out;
}

Matrix square_distances(const Matrix& rows) {
  const Eigen::VectorXd squares = rows.rowwise().squaredNorm();
  Matrix out = -2 * rows * rows.transpose();
  out.colwise() += squares;
  out.rowwise() += squares.transpose();
  return out.cwiseMax(0);
}

// Probabilities that i takes j for its neighbour, with the width of i's Gaussian such that their
// entropy is log perplexity; made symmetric.
Matrix neighbour_shares(const Matrix& distances, double perplexity) {
  const Eigen::Index size = distances.rows();
  Matrix out(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    double low = 0, high = INFINITY, precision = 1 / std::max(distances.row(i).mean(), 1e-12);
    for (int attempt = 0; attempt < 60; ++attempt) {
      // Shifted by the nearest neighbour's, or all might vanish.
      double nearest = INFINITY, sum = 0, weighted = 0;
      for (Eigen::Index j = 0; j < size; ++j)
        if (j != i) nearest = std::min(nearest, distances(i, j));
      for (Eigen::Index j = 0; j < size; ++j) {
        const double share = j == i ? 0 : std::exp(-precision * (distances(i, j) - nearest));
        out(i, j) = share;
        sum += share;
        weighted += share * (distances(i, j) - nearest);
      }
      out.row(i) /= sum;
      const double entropy = std::log(sum) + precision * weighted / sum;
      if (std::abs(entropy - std::log(perplexity)) < 1e-5) break;
      (entropy > std::log(perplexity) ? low : high) = precision;
      precision = std::isinf(high) ? 2 * precision : (low + high) / 2;
    }
  }
  return ((out + out.transpose()) / (2 * static_cast<double>(size))).cwiseMax(1e-12);
}

}  // namespace

std::vector<Place> principal_plane(std::span<const float> rows, std::size_t dimensions) {
  if (rows.empty()) return {};
  return places_of(principal(matrix_of(rows, dimensions, rows.size())));
}

std::vector<Place> neighbour_plane(std::span<const float> rows, std::size_t dimensions,
                                   const NeighbourOptions& options) {
  if (rows.empty()) return {};
  const Matrix from = matrix_of(rows, dimensions, kMostNeighbours);
  const Eigen::Index size = from.rows();
  Matrix plane = principal(from);
  const double perplexity = std::min(options.perplexity, static_cast<double>(size - 1) / 3);
  const double spread = plane.cwiseAbs().maxCoeff();
  if (size < 4 || perplexity < 1 || spread == 0) return places_of(plane);

  const Matrix wanted = neighbour_shares(square_distances(from), perplexity);
  plane *= 1e-2 / spread;
  Matrix speed = Matrix::Zero(size, 2), gains = Matrix::Ones(size, 2);
  const double rate = std::max(static_cast<double>(size) / 12, 10.0);
  for (std::size_t step = 0; step < options.steps; ++step) {
    const bool early = step < options.steps / 4;  // exaggeration pulls neighbours together first
    Matrix near = (1 + square_distances(plane).array()).inverse().matrix();
    near.diagonal().setZero();
    const double total = near.sum();
    const Matrix pull = ((early ? 12.0 : 1.0) * wanted - near / total).cwiseProduct(near);
    const Matrix gradient = 4 * (Matrix(pull.rowwise().sum().asDiagonal() * plane) - pull * plane);
    // Gains as in the authors' own code: larger steps along a steady way.
    for (Eigen::Index i = 0; i < gains.size(); ++i) {
      const bool turned = (gradient.data()[i] > 0) == (speed.data()[i] > 0);
      gains.data()[i] = std::max(turned ? gains.data()[i] * 0.8 : gains.data()[i] + 0.2, 0.01);
    }
    speed = (early ? 0.5 : 0.8) * speed - rate * gains.cwiseProduct(gradient);
    plane += speed;
    plane.rowwise() -= plane.colwise().mean().eval();
  }
  return places_of(plane);
}

}  // namespace ragline
