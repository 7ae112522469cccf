#pragma once
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "select/objectives.h"

// The table of methods, and choosing by one of them.
//
//   SelectOptions options{.method = find_method("dpp"), .diversity = 0.3};
//   RAGLINE_TRY(const std::vector<Pick> picks, select(pool, scores, options, {.count = 8}));
namespace ragline {

enum class Scale { kZ, kUnit };  // relevance.h

struct Method {
  std::string_view name;
  std::string_view summary;
  Scale scale;
  double diversity;  // when the caller gives none
  bool windowed;     // heeds SelectOptions::window
  bool aspects;      // needs the pool's answers
  std::size_t most;  // candidates that it takes; 0 is any number
  MakeObjective* make;
};

std::span<const Method> methods();
const Method* find_method(std::string_view name);  // nullptr: there is none

struct SelectOptions {
  const Method* method = find_method("dpp");
  // 0 to 1, one direction for every method: 0 is the order of the scores exactly, 1 spread alone.
  double diversity = method->diversity;
  double jitter = 1e-3;
  std::size_t window = 0;
};

// Chooses from the pool by its first-stage scores, which must descend: score i belongs to row i.
// The pool's relevance is set from them, in the method's scale.
//   Output  picks in the order of choice; at most limits.count, fewer when candidates, budget or
//           caps give out. All candidates may be chosen (k > m).
//   Errors  kLimit when the method does not take so many candidates.
Result<std::vector<Pick>> select(Pool& pool, std::span<const double> scores,
                                 const SelectOptions& options, const Limits& limits);

// The same with the pool's relevance as the caller has set it.
Result<std::vector<Pick>> select_prepared(const Pool& pool, const SelectOptions& options,
                                          const Limits& limits);

// The paper's theta (sharpness of quality) as a diversity, and back.
inline double diversity_of_theta(double theta) { return 1 / (1 + theta); }
inline double theta_of_diversity(double diversity) { return (1 - diversity) / diversity; }

}  // namespace ragline
