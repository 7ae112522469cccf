#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "select/quality.h"

// The P-Adapter's arithmetic: a two-layer bottleneck with a residual connection,
//
//   a = W1 c + b1,  h = phi(a),  z = x + W2 h + b2,  u = z, or z / |z| with `normalise`
//
// where x is a chunk's embedding at unit length and c is x; or, conditioned on the query, x and
// behind it x times the query's vector, value by value and times sqrt(D). With W2 = 0 it is the
// identity.
//
// Parameters are one flat vector, so that optimisers and files need not know them apart: W1 (width
// rows), b1, W2 (dimensions rows), b2, and the weights of quality (quality.h).
//
//   Threads  const members from any.
//   Real     float for training and use, double for checking gradients.
namespace ragline {

enum class Activation { kRelu, kGelu };

struct NetworkShape {
  std::size_t dimensions = 0, width = 0;
  Activation activation = Activation::kRelu;
  bool normalise = false;
  bool conditioned = false;

  std::size_t inputs() const { return conditioned ? 2 * dimensions : dimensions; }
  std::size_t parameters() const {
    return (inputs() + dimensions) * width + width + dimensions + kFeatures;
  }
  std::size_t quality_at() const { return parameters() - kFeatures; }
  bool operator==(const NetworkShape&) const = default;
};

// W1 standard normal (rows have unit length, so a is of size 1), the rest 0: the identity, and
// quality theta times the first-stage score.
std::vector<double> initial_parameters(const NetworkShape& shape, double theta, Random& random);

template <class Real>
struct Activations {
  std::vector<Real> inputs, before, hidden, outputs, lengths;  // c, a, h, u, |z|
};

// rows: m x dimensions, each of unit length. query: `dimensions` values of unit length, or empty
// unless conditioned. outputs: m x dimensions.
template <class Real>
void forward(const NetworkShape& shape, std::span<const Real> parameters,
             std::span<const Real> rows, std::span<const Real> query, Activations<Real>& out);

// Adds dLoss/dparameters, given dLoss/du (m x dimensions); quality's entries are left alone.
template <class Real>
void backward(const NetworkShape& shape, std::span<const Real> parameters,
              const Activations<Real>& activations, std::vector<Real>& output_gradient,
              std::span<Real> gradient);

// rows times its transpose, m x m in double; and factor * a * rows, m x dimensions.
template <class Real>
std::vector<double> gram_of(std::span<const Real> rows, std::size_t dimensions);
template <class Real>
std::vector<Real> times_rows(std::span<const double> a, double factor, std::span<const Real> rows,
                             std::size_t dimensions);

}  // namespace ragline
