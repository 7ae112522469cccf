#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// What a set of candidates is worth, and how training tells good sets from bad ones.
//
//   g(S) = sum over S of r_i + log det(G_S + jitter I),   G = U U^T, the Gram matrix
//
// which is log det of K = Q (U U^T + jitter I) Q on S with quality q_i = exp(r_i / 2); what r is
// made of is quality.h's.
//
// Diverse Margin Loss (Sun et al., "Scaling DPPs for RAG: Density Meets Diversity", arXiv
// 2604.03240; the paper's code is not public, the form is derived in our own words): with the
// positive set P and negatives N_j of its size,
//
//   lse  = tau log sum_j exp(g(N_j) / tau)
//   loss = tau softplus((lse - g(P) + margin) / tau)
//
// With tau = 1, margin = 0 and every other set of the size as a negative it is exactly the negative
// log-likelihood of a k-DPP. The comparison is the likelihood of a DPP over sets of any size,
// nll = -g(P) + log det(K + I).
//
// Gradients come as one m x m matrix A with dLoss/dU = 2 A U: all sets of a query add into it, so
// no work but one product depends on the dimension; and as dLoss/dr, one a candidate. Everything
// here is in double; one thread.
namespace ragline {

struct LossShape {
  double jitter = 1e-3, tau = 1, margin = 1;
};

struct SetLoss {
  double loss = 0;
  double margin = 0;  // g(P) - lse + tau log M: 0 is chance, whatever the number of negatives
};

using CandidateSet = std::vector<std::uint32_t>;

// log det(G_S + jitter I) of a size * size matrix, row by row, and its inverse (row by row) where
// asked for. Where rounding leaves the matrix indefinite, with ten times the jitter, at most four
// times over; nullopt after that.
std::optional<double> set_log_det(std::span<const double> gram, std::size_t size,
                                  const CandidateSet& set, double jitter,
                                  std::vector<double>* inverse = nullptr);

struct SetGradient {
  std::vector<double> gram;       // A above, size * size
  std::vector<double> relevance;  // dLoss/dr
  explicit SetGradient(std::size_t size) : gram(size * size), relevance(size) {}
};

// Adds to `gradient`. nullopt when the positive set has no determinant, or
// no negative has.
std::optional<SetLoss> diverse_margin_loss(std::span<const double> gram,
                                           std::span<const double> relevance,
                                           const CandidateSet& positive,
                                           const std::vector<CandidateSet>& negatives,
                                           const LossShape& shape, SetGradient& gradient);
std::optional<SetLoss> likelihood_loss(std::span<const double> gram,
                                       std::span<const double> relevance,
                                       const CandidateSet& positive, const LossShape& shape,
                                       SetGradient& gradient);

}  // namespace ragline
