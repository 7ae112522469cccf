#pragma once
#include <cstddef>
#include <memory>

#include "select/objective.h"

// The objectives behind the methods (method.h lists and names them). In all of them r is the
// pool's relevance, s the cosine (of rows at unit length), S what was picked, and t = diversity:
// 0 is relevance alone, 1 is spread alone.
namespace ragline {

struct ObjectiveOptions {
  double diversity = 0.5;  // 0 to 1
  double jitter = 1e-3;    // dpp, ssd: added to the kernel's diagonal
  std::size_t window = 0;  // dpp, ssd: only the last picks repel; 0 is all
  std::size_t count = 10;  // msd: how many are going to be picked
  // dpp without a window: from so many candidates on those are not looked at that cannot be next.
  // The choice is the same up to rounding.
  std::size_t lazy_from = 64;
};

using MakeObjective = std::unique_ptr<Objective>(const Pool&, const ObjectiveOptions&);

// Determinantal point process, greedy MAP: (1-t) r_i + t log d_i^2. The sum over a set is
// (1-t) sum r + t log det K_S, that is Chen's trade-off with theta = (1-t)/t, and quality
// q_i = exp(theta r_i / 2) in K = Q (U U^T + jitter I) Q.
MakeObjective make_dpp;
// Sliding spectrum decomposition (Huang et al., KDD 2021), by residual length: (1-t) r_i + t d_i.
MakeObjective make_ssd;
// Maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998): (1-t) r_i - t max over S of s.
MakeObjective make_mmr;
// Max-sum diversification (Borodin, Lee, Ye, PODS 2012): (1-t) r_i + t/(k-1) * sum over S of 1 - s.
MakeObjective make_msd;
// Facility location: (1-t) r_i + t * what it adds to the mean over all j of max over S of s(j, .),
// negative s counting as 0. O(m^2 D) to begin with and O(m^2) a pick; at most kMostCovered
// candidates.
MakeObjective make_facility;
// Coverage with diminishing returns: the mean over all j of sqrt(sum over S of s(j, .)).
MakeObjective make_cover;
// xQuAD (Santos, Macdonald, Ounis, WWW 2010): (1-t) r_i + t * mean over aspects a of
// p(i|a) * product over S of 1 - p(.|a), with the pool's answers as p.
MakeObjective make_xquad;
// The input order, without what is nearer than 1-t to something picked: s >= 1 - t + 1e-6.
MakeObjective make_top;

inline constexpr std::size_t kMostCovered = 4096;

}  // namespace ragline
