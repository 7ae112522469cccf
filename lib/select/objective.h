#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "select/pool.h"

// What a method wants of the next candidate, and the loop that gives it to all methods alike.
namespace ragline {

// Two values this close, relative to their size, count as equal: rounding must not choose.
inline constexpr double kTie = 1e-6;

class Objective {
 public:
  virtual ~Objective() = default;

  // One value a candidate, given what was added so far; the larger the better. Minus infinity: it
  // must not be chosen. Values of what was added already mean nothing.
  virtual std::span<const double> values() = 0;
  virtual void add(std::uint32_t pick) = 0;
  // The same for one candidate.
  virtual double value(std::uint32_t candidate) { return values()[candidate]; }

  // The least value that is as good as `best`.
  virtual double tied(double best) const;
  // Called for the candidate about to be chosen. True: its value was stale or rough and has
  // changed, so choose again. At most once a candidate and step.
  virtual bool refine(std::uint32_t) { return false; }
  // Values only ever fall, and are bounds until refine() has been called since the last add(): the
  // loop then looks at the few largest alone.
  virtual bool lazy() const { return false; }
  // What adding the candidate now gains, in the unit of the method's formula.
  virtual double gain(std::uint32_t candidate) { return values()[candidate]; }
};

struct Pick {
  std::uint32_t candidate = 0;
  double gain = 0;
  bool operator==(const Pick&) const = default;
};

// Adds the best candidate that the limits allow, until none is left; equal ones by first-stage
// rank.
//   Required  limits.required holds no candidate twice; vectors of limits have `size` entries.
//   Output    picks in the order of choice, the required ones first.
//   Cost      O(size) a step beside what the objective does; of a lazy one O(log size) for each
//             candidate that it looks at.
std::vector<Pick> choose_greedily(Objective& objective, std::size_t size, const Limits& limits);

}  // namespace ragline
