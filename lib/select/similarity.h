#pragma once
#include <span>
#include <vector>

#include "select/pool.h"

namespace ragline {

// Cosines within a pool, a row at a time. The pool must outlive it. Lengths do not count, whether
// the pool keeps them or not.
class Cosines {
 public:
  explicit Cosines(const Pool& pool);
  // Of one candidate with all: pool.size values, -1 to 1 but for rounding. Valid until the next
  // call.
  std::span<const double> with(std::size_t candidate);

 private:
  const Pool& pool_;
  std::vector<double> inverse_, row_;
  std::vector<float> products_;
};

}  // namespace ragline
