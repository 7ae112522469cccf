#include "eval/complementarity.h"

#include <algorithm>
#include <cmath>

namespace ragline {

Complementarity complementarity(std::span<const double> a, std::span<const double> b,
                                double threshold) {
  Complementarity out;
  double best = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool in_a = a[i] >= threshold, in_b = b[i] >= threshold;
    ++(in_a ? (in_b ? out.both : out.only_a) : (in_b ? out.only_b : out.neither));
    best += std::max(a[i], b[i]);
  }
  if (a.empty()) return out;
  const auto n = static_cast<double>(a.size());
  out.union_share = static_cast<double>(a.size() - out.neither) / n;
  out.best_of_two = best / n;

  const auto share = [n](std::size_t count) { return static_cast<double>(count) / n; };
  const double of_a = share(out.both + out.only_a), of_b = share(out.both + out.only_b);
  const double spread = of_a * (1 - of_a) * of_b * (1 - of_b);
  if (spread > 0) out.phi = (share(out.both) - of_a * of_b) / std::sqrt(spread);
  return out;
}

}  // namespace ragline
