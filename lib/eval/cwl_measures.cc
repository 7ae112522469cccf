#include <algorithm>
#include <array>
#include <cmath>

#include "eval/rank_measures.h"

// Measures by the chance that a reader goes on to the next rank (C/W/L: Moffat, Bailey, Scholer and
// Thomas, TOIS 2017). With C(i) the chance of going on from rank i, rank i gets the weight
// W(i) = W(1) C(1) ... C(i - 1), where the weights of kHorizon ranks add up to 1, and the value is
// the sum of W(i) g(i): the gain that one look gives. Below the list the gain is 0, and so it is
// for unjudged hits. The horizon is cwl_eval's, whose values these are; the tests compare.
//
// Gains are grades between min_rel and max_rel, brought to 0..1.
namespace ragline::ours {

namespace {

constexpr std::size_t kHorizon = 1000;
using Gains = std::array<double, kHorizon>;

// What hits below min_rel give, unjudged ones too, is 0.
double gain_of(double grade, const Arguments& a) {
  return (std::clamp(grade, a.min_rel, a.max_rel) - a.min_rel) / (a.max_rel - a.min_rel);
}

Gains gains_of(const Ranking& r, const Arguments& a) {
  Gains gains{};
  for (std::size_t i = 0; i < std::min(kHorizon, r.grades.size()); ++i)
    gains[i] = gain_of(r.grades[i], a);
  return gains;
}

// The same where each group of ties has its mean at each of its ranks.
Gains mean_gains_of(const Ranking& r, const Arguments& a) {
  Gains gains = gains_of(r, a);
  for (const TieGroup& tie : r.ties) {
    double sum = 0;
    for (std::size_t i = tie.begin; i < tie.end; ++i) sum += gain_of(r.grades[i], a);
    for (std::size_t i = tie.begin; i < std::min<std::size_t>(tie.end, kHorizon); ++i)
      gains[i] = sum / (tie.end - tie.begin);
  }
  return gains;
}

// goes_on(rank from 1, gain there, gain up to and with it) is C.
template <class GoesOn>
double value_of(const Gains& gains, GoesOn goes_on) {
  double looks = 1, weights = 0, sum = 0, so_far = 0;
  for (std::size_t i = 0; i < kHorizon && looks > 0; ++i) {
    weights += looks;
    sum += looks * gains[i];
    so_far += gains[i];
    looks *= goes_on(static_cast<double>(i + 1), gains[i], so_far);
  }
  return sum / weights;
}

double square(double x) { return x * x; }
double depth_of(const Arguments& a) { return static_cast<double>(a.cutoff); }

auto insq_chance(const Arguments& a) {
  return [wanted = 2 * a.target](double rank, double, double) {
    return square((rank + wanted - 1) / (rank + wanted));
  };
}

auto sdcg_chance(const Arguments& a) {
  return [depth = depth_of(a)](double rank, double, double) {
    return rank < depth ? std::log2(rank + 1) / std::log2(rank + 2) : 0.0;
  };
}

}  // namespace

void bpm(const Ranking& r, const Arguments& a, Values v) {
  v[0] = value_of(gains_of(r, a), [&](double rank, double, double so_far) {
    return so_far < a.target && rank < depth_of(a) ? 1.0 : 0.0;
  });
}

void sdcg(const Ranking& r, const Arguments& a, Values v) {
  v[0] = value_of(gains_of(r, a), sdcg_chance(a));
}

void inst(const Ranking& r, const Arguments& a, Values v) {
  v[0] = value_of(gains_of(r, a), [&](double rank, double, double so_far) {
    const double wanted = 2 * a.target - so_far;
    return square((rank + wanted - 1) / (rank + wanted));
  });
}

void insq(const Ranking& r, const Arguments& a, Values v) {
  v[0] = value_of(gains_of(r, a), insq_chance(a));
}

void nerr8(const Ranking& r, const Arguments& a, Values v) {
  v[0] = value_of(gains_of(r, a), [&](double rank, double gain, double) {
    return rank < depth_of(a) ? 1 - gain : 0.0;
  });
}

void nerr9(const Ranking& r, const Arguments& a, Values v) {
  v[0] = value_of(gains_of(r, a), [&](double rank, double gain, double) {
    return rank < depth_of(a) ? rank / (rank + 1) * (1 - gain) : 0.0;
  });
}

void nerr10(const Ranking& r, const Arguments& a, Values v) {
  v[0] = value_of(gains_of(r, a), [&](double, double gain, double) { return a.p * (1 - gain); });
}

void nerr11(const Ranking& r, const Arguments& a, Values v) {
  v[0] = value_of(gains_of(r, a), [chance = insq_chance(a)](double rank, double gain, double) {
    return chance(rank, 0, 0) * (1 - gain);
  });
}

// The weights of these two do not depend on the gains.
void expected_sdcg(const Ranking& r, const Arguments& a, Values v) {
  v[0] = value_of(mean_gains_of(r, a), sdcg_chance(a));
}

void expected_insq(const Ranking& r, const Arguments& a, Values v) {
  v[0] = value_of(mean_gains_of(r, a), insq_chance(a));
}

}  // namespace ragline::ours
