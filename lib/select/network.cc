#include "select/network.h"

#include <cmath>
#include <eigen3/Eigen/Core>
#include <numbers>

namespace ragline {

namespace {

template <class Real>
using Rows = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class Real>
using View = Eigen::Map<const Rows<Real>>;
template <class Real>
using Line = Eigen::Map<const Eigen::Matrix<Real, 1, Eigen::Dynamic>>;

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

// Where the parts of the flat vector begin.
struct Parts {
  std::size_t w1 = 0, b1, w2, b2;
  explicit Parts(const NetworkShape& s)
      : b1(s.width * s.inputs()), w2(b1 + s.width), b2(w2 + s.dimensions * s.width) {}
};

constexpr double kGeluInner = 0.044715;

// GELU in its tanh form (Hendrycks and Gimpel 2016), and that form's own derivative.
template <class Real>
Real activate(Activation kind, Real x) {
  if (kind == Activation::kRelu) return x > 0 ? x : 0;
  const Real scale = static_cast<Real>(std::sqrt(2 / std::numbers::pi));
  return x / 2 * (1 + std::tanh(scale * (x + static_cast<Real>(kGeluInner) * x * x * x)));
}

template <class Real>
Real slope(Activation kind, Real x) {
  if (kind == Activation::kRelu) return x > 0 ? 1 : 0;
  const Real scale = static_cast<Real>(std::sqrt(2 / std::numbers::pi));
  const Real cubic = static_cast<Real>(kGeluInner);
  const Real t = std::tanh(scale * (x + cubic * x * x * x));
  return (1 + t) / 2 + x / 2 * (1 - t * t) * scale * (1 + 3 * cubic * x * x);
}

}  // namespace

std::vector<double> initial_parameters(const NetworkShape& shape, double theta, Random& random) {
  std::vector<double> out(shape.parameters());
  for (std::size_t i = 0; i < shape.width * shape.inputs(); ++i) out[i] = random.normal();
  out[shape.quality_at()] = theta;
  return out;
}

template <class Real>
void forward(const NetworkShape& shape, std::span<const Real> parameters,
             std::span<const Real> rows, std::span<const Real> query, Activations<Real>& out) {
  const std::size_t m = rows.size() / shape.dimensions;
  const Parts parts(shape);
  const auto D = index(shape.dimensions), r = index(shape.width);
  const View<Real> x(rows.data(), index(m), D);
  const auto c = index(shape.inputs());
  out.inputs.resize(m * shape.inputs());
  Eigen::Map<Rows<Real>> inputs(out.inputs.data(), index(m), c);
  inputs.leftCols(D) = x;
  if (shape.conditioned) {
    const Real scale = std::sqrt(static_cast<Real>(shape.dimensions));
    inputs.rightCols(D) =
        (x.array().rowwise() * (scale * Line<Real>(query.data(), D).array())).matrix();
  }
  out.before.resize(m * shape.width);
  out.hidden.resize(out.before.size());
  out.outputs.resize(rows.size());
  Eigen::Map<Rows<Real>> a(out.before.data(), index(m), r), h(out.hidden.data(), index(m), r),
      z(out.outputs.data(), index(m), D);
  a.noalias() = inputs * View<Real>(parameters.data(), r, c).transpose();
  a.rowwise() += Line<Real>(parameters.data() + parts.b1, r);
  h = a.unaryExpr([&](Real value) { return activate(shape.activation, value); });
  z = x;
  z.noalias() += h * View<Real>(parameters.data() + parts.w2, D, r).transpose();
  z.rowwise() += Line<Real>(parameters.data() + parts.b2, D);
  out.lengths.clear();
  if (!shape.normalise) return;
  for (Eigen::Index i = 0; i < z.rows(); ++i) {
    out.lengths.push_back(std::max(z.row(i).norm(), static_cast<Real>(1e-20)));
    z.row(i) /= out.lengths.back();
  }
}

template <class Real>
void backward(const NetworkShape& shape, std::span<const Real> parameters,
              const Activations<Real>& activations, std::vector<Real>& output_gradient,
              std::span<Real> gradient) {
  const Parts parts(shape);
  const auto D = index(shape.dimensions), r = index(shape.width);
  const auto m = index(output_gradient.size() / shape.dimensions);
  Eigen::Map<Rows<Real>> dz(output_gradient.data(), m, D);
  const View<Real> u(activations.outputs.data(), m, D), h(activations.hidden.data(), m, r);
  if (shape.normalise)
    for (Eigen::Index i = 0; i < m; ++i)
      dz.row(i) = (dz.row(i) - u.row(i) * u.row(i).dot(dz.row(i))) /
                  activations.lengths[static_cast<std::size_t>(i)];

  Rows<Real> da = dz * View<Real>(parameters.data() + parts.w2, D, r);
  da.array() *= View<Real>(activations.before.data(), m, r)
                    .unaryExpr([&](Real value) { return slope(shape.activation, value); })
                    .array();
  using Out = Eigen::Map<Rows<Real>>;
  Out(gradient.data() + parts.w2, D, r).noalias() += dz.transpose() * h;
  Out(gradient.data() + parts.b2, 1, D) += dz.colwise().sum();
  const auto c = index(shape.inputs());
  Out(gradient.data() + parts.w1, r, c).noalias() +=
      da.transpose() * View<Real>(activations.inputs.data(), m, c);
  Out(gradient.data() + parts.b1, 1, r) += da.colwise().sum();
}

template <class Real>
std::vector<double> gram_of(std::span<const Real> rows, std::size_t dimensions) {
  const View<Real> u(rows.data(), index(rows.size() / dimensions), index(dimensions));
  const Rows<Real> gram = u * u.transpose();
  std::vector<double> out(static_cast<std::size_t>(gram.size()));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(gram.data()[i]);
  return out;
}

template <class Real>
std::vector<Real> times_rows(std::span<const double> a, double factor, std::span<const Real> rows,
                             std::size_t dimensions) {
  const auto m = index(rows.size() / dimensions);
  const Rows<Real> matrix =
      (factor * Eigen::Map<const Rows<double>>(a.data(), m, m)).template cast<Real>();
  std::vector<Real> out(rows.size());
  Eigen::Map<Rows<Real>>(out.data(), m, index(dimensions)).noalias() =
      matrix * View<Real>(rows.data(), m, index(dimensions));
  return out;
}

#define RAGLINE_FOR(Real)                                                                       \
  template void forward(const NetworkShape&, std::span<const Real>, std::span<const Real>,      \
                        std::span<const Real>, Activations<Real>&);                             \
  template void backward(const NetworkShape&, std::span<const Real>, const Activations<Real>&,  \
                         std::vector<Real>&, std::span<Real>);                                  \
  template std::vector<double> gram_of(std::span<const Real>, std::size_t);                     \
  template std::vector<Real> times_rows(std::span<const double>, double, std::span<const Real>, \
                                        std::size_t);
RAGLINE_FOR(float)
RAGLINE_FOR(double)
#undef RAGLINE_FOR

}  // namespace ragline
