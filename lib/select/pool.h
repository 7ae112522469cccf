#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// The candidates of one query, and what limits the choice among them.
namespace ragline {

// Candidates by their first-stage rank: row 0 is the best. Ties are broken by that order
// everywhere.
struct Pool {
  std::size_t size = 0, dimensions = 0;
  // size * dimensions finite values, row by row; not owned. No row is all zeros.
  std::span<const float> vectors{};
  // One a candidate, higher is better, in the scale that the method asks for (method.h).
  std::vector<double> relevance{};
  // Rows as they are instead of at unit length: an adapter's output, whose length means something.
  bool keep_lengths = false;
  // How well each candidate answers each aspect of the query, 0 to 1: size * aspects values, row by
  // row. Only xquad reads them.
  std::size_t aspects = 0;
  std::vector<double> answers{};

  std::span<const float> row(std::size_t i) const {
    return vectors.subspan(i * dimensions, dimensions);
  }
};

// At most `most` candidates of one group: a document, or the value of a metadata field.
struct Cap {
  std::vector<std::uint32_t> group{};  // one a candidate
  std::uint32_t most = 1;
};

struct Limits {
  std::size_t count = 10;
  // With a budget: the sum of the costs of what is chosen does not exceed it. What no longer fits
  // is passed over, so a long candidate does not end the choice.
  std::uint64_t budget = UINT64_MAX;
  std::vector<std::uint64_t> costs{};  // one a candidate; empty: all cost nothing
  // Chosen first, in this order, whatever the caps say; they count, and they cost.
  std::vector<std::uint32_t> required{};
  std::vector<Cap> caps{};
};

}  // namespace ragline
