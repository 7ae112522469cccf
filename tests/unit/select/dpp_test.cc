// Greedy MAP against a determinant by LU for every candidate and step; the windowed form against a
// kernel of the last picks; and the numerical traps that others fell into.
#include <algorithm>
#include <bit>

#include "catch.h"
#include "pools.h"
#include "rounds.h"
#include "select/method.h"
#include "select/relevance.h"
#include "select/residuals.h"

using namespace ragline;
using namespace ragline::testing;

namespace {

std::vector<std::uint32_t> candidates(const std::vector<Pick>& picks) {
  std::vector<std::uint32_t> out;
  for (const Pick& pick : picks) out.push_back(pick.candidate);
  return out;
}

std::vector<std::uint32_t> dpp(Pool& pool, const std::vector<double>& scores, double diversity,
                               std::size_t k, double jitter = 1e-3, std::size_t window = 0) {
  const auto picks = select(
      pool, scores,
      {.method = find_method("dpp"), .diversity = diversity, .jitter = jitter, .window = window},
      {.count = k});
  REQUIRE(picks.has_value());
  return candidates(*picks);
}

}  // namespace

TEST_CASE("greedy MAP is what determinants say") {
  for (std::uint64_t seed = 0; seed < rounds(60); ++seed) {
    Random random(seed);
    const std::size_t size = 2 + random.below(28), dimensions = 12 + random.below(60);
    RandomPool data(seed, size, dimensions);
    data.pool.keep_lengths = seed % 3 == 0;
    const double t = 0.05 + 0.95 * random.uniform();
    const std::size_t k = 1 + random.below(8);
    const double jitter = seed % 2 ? 1e-3 : 0;
    const auto z = z_scores(data.scores);
    const Matrix kernel = kernel_of(data.pool, jitter);
    const auto expected = plain_greedy(size, k, [&](const std::vector<std::uint32_t>& set) {
      double sum = t * log_det(kernel, set);
      for (const std::uint32_t i : set) sum += (1 - t) * z[i];
      return sum;
    });
    INFO("seed " << seed << ", " << size << " x " << dimensions << ", t " << t << ", k " << k);
    REQUIRE(dpp(data.pool, data.scores, t, k, jitter) == expected);
  }
}

TEST_CASE("lazy greedy chooses what looking at all does") {
  for (std::uint64_t seed = 0; seed < rounds(30); ++seed) {
    Random random(seed);
    RandomPool data(seed, 50 + random.below(300), 24, seed % 2 ? 0.7 : 0.05);
    data.pool.relevance = z_scores(data.scores);
    data.pool.keep_lengths = seed % 3 == 0;
    Limits limits{.count = 1 + random.below(20)};
    if (seed % 5 == 0) limits.required = {7, 3};
    if (seed % 4 == 0) {
      limits.caps.push_back({.most = 2});
      for (std::size_t i = 0; i < data.pool.size; ++i)
        limits.caps[0].group.push_back(random.below(12));
    }
    ObjectiveOptions options{.diversity = seed % 7 == 0 ? 1 : random.uniform(),
                             .jitter = seed % 2 ? 1e-3 : 0};
    const auto all = choose_greedily(*make_dpp(data.pool, options), data.pool.size, limits);
    options.lazy_from = 0;
    const auto lazy = choose_greedily(*make_dpp(data.pool, options), data.pool.size, limits);
    INFO("seed " << seed);
    REQUIRE(candidates(lazy) == candidates(all));
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(near(lazy[i].gain, all[i].gain, 1e-2));
  }
}

TEST_CASE("the window repels by the last picks alone") {
  for (std::uint64_t seed = 0; seed < rounds(40); ++seed) {
    const std::size_t size = 24, window = 1 + seed % 5, k = 12;
    RandomPool data(seed, size, 40);
    const double t = 0.8;
    const auto z = z_scores(data.scores);
    const Matrix kernel = kernel_of(data.pool, 1e-3);
    const auto expected = plain_greedy(size, k, [&](const std::vector<std::uint32_t>& set) {
      const std::size_t from = set.size() > window + 1 ? set.size() - window - 1 : 0;
      const std::vector<std::uint32_t> last(set.begin() + static_cast<std::ptrdiff_t>(from),
                                            set.end());
      const std::vector<std::uint32_t> before(last.begin(), last.end() - 1);
      return (1 - t) * z[set.back()] + t * (log_det(kernel, last) - log_det(kernel, before));
    });
    INFO("seed " << seed << ", window " << window);
    REQUIRE(dpp(data.pool, data.scores, t, k, 1e-3, window) == expected);
  }
}

TEST_CASE("residuals stay those of the kernel while the window slides") {
  RandomPool data(3, 30, 16);
  Residuals residuals(data.pool, {.jitter = 1e-2, .window = 4, .constant = true});
  const Matrix kernel = kernel_of(data.pool, 1e-2, true);
  std::vector<std::uint32_t> last;
  for (std::uint32_t pick = 0; pick < 20; ++pick) {
    residuals.add(pick);
    last.push_back(pick);
    if (last.size() > 4) last.erase(last.begin());
    const double before = log_det(kernel, last);
    for (std::uint32_t i = 20; i < 30; ++i) {
      auto with = last;
      with.push_back(i);
      REQUIRE(near(residuals.squared()[i], std::exp(log_det(kernel, with) - before), 1e-5));
    }
  }
}

TEST_CASE("diversity 0 is the input order, whatever the method") {
  for (const Method& method : methods()) {
    RandomPool data(11, 40, 16);
    data.scores[7] = data.scores[6];
    data.scores[8] = data.scores[6] - 1e-9;  // within a tie: the first-stage rank decides
    data.pool.aspects = 1;
    data.pool.answers.assign(40, 0.5);
    INFO(method.name);
    const auto picks =
        select(data.pool, data.scores, {.method = &method, .diversity = 0}, {.count = 40});
    REQUIRE(picks.has_value());
    REQUIRE(picks->size() == 40);
    for (std::uint32_t i = 0; i < 40; ++i) CHECK((*picks)[i].candidate == i);
  }
}

TEST_CASE("more diversity trades relevance for volume, step by step") {
  // The best set of all, not the greedy one: greedy may take back a step by chance.
  RandomPool data(5, 12, 6);
  const auto z = z_scores(data.scores);
  const Matrix kernel = kernel_of(data.pool, 1e-3);
  double relevance_before = 1e9, volume_before = -1e9;
  for (const double t : {0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.0}) {
    double best = -1e300, relevance = 0, volume = 0;
    for (std::uint32_t bits = 0; bits < 1u << 12; ++bits) {
      if (std::popcount(bits) != 4) continue;
      std::vector<std::uint32_t> set;
      double sum = 0;
      for (std::uint32_t i = 0; i < 12; ++i)
        if (bits >> i & 1) set.push_back(i), sum += z[i];
      const double det = log_det(kernel, set);
      if ((1 - t) * sum + t * det > best)
        best = (1 - t) * sum + t * det, relevance = sum, volume = det;
    }
    CHECK(relevance <= relevance_before + 1e-9);
    CHECK(volume >= volume_before - 1e-9);
    relevance_before = relevance;
    volume_before = volume;
    // Greedy reaches most of it.
    const auto chosen = dpp(data.pool, data.scores, t, 4);
    double sum = 0;
    for (const std::uint32_t i : chosen) sum += z[i];
    CHECK((1 - t) * sum + t * log_det(kernel, chosen) > best - 0.5);
  }
}

TEST_CASE("note_3_4_ties_follow_the_first_stage_rank") {
  // All diagonals are 1 up to rounding: the first pick must not be rounding's.
  for (std::uint64_t seed = 0; seed < rounds(100); ++seed) {
    RandomPool data(seed, 30, 17);
    REQUIRE(dpp(data.pool, data.scores, 1, 1, 0)[0] == 0);
  }
}

TEST_CASE("note_3_5_near_duplicates_do_not_go_negative") {
  for (std::uint64_t seed = 0; seed < rounds(4, 4); ++seed) {
    // Twenty directions, each with nineteen copies at relative distances down to 1e-6.
    Random random(seed);
    RandomPool data(seed, 400, 384, 1);
    for (std::size_t i = 20; i < 400; ++i) {
      const double distance = std::pow(10.0, -2 - 4 * random.uniform());
      for (std::size_t d = 0; d < 384; ++d)
        data.vectors[i * 384 + d] =
            static_cast<float>(data.vectors[i % 20 * 384 + d] * (1 + distance * random.normal()));
    }
    const auto chosen = dpp(data.pool, data.scores, 1, 40, 0);
    REQUIRE(chosen.size() == 40);
    std::vector<char> direction(20);
    for (std::size_t p = 0; p < 20; ++p) direction[chosen[p] % 20] = 1;
    CHECK(std::ranges::count(direction, 1) == 20);
    auto sorted = chosen;
    std::ranges::sort(sorted);
    CHECK(std::ranges::adjacent_find(sorted) == sorted.end());
    // Beyond float's reach the choice is still the determinants'.
    const Matrix kernel = kernel_of(data.pool, 0);
    const std::vector<std::uint32_t> before(chosen.begin(), chosen.begin() + 20);
    auto with = before;
    with.push_back(chosen[20]);
    const double ours = log_det(kernel, with);
    for (std::uint32_t i = 0; i < 400; ++i) {
      if (std::ranges::find(before, i) != before.end()) continue;
      with.back() = i;
      REQUIRE(log_det(kernel, with) <= ours + 1e-4);
    }
  }
}

TEST_CASE("fast_map_dpp_1_exhausted_rank_is_filled_by_quality") {
  // Three directions, nine candidates: three picks use the rank up, the rest come by relevance.
  std::vector<float> vectors(9 * 3, 0.f);
  std::vector<double> scores;
  for (std::size_t i = 0; i < 9; ++i) {
    vectors[i * 3 + i % 3] = 1;
    scores.push_back(10 - static_cast<double>(i));
  }
  Pool pool{.size = 9, .dimensions = 3, .vectors = vectors, .relevance = {}};
  for (const double t : {0.4, 1.0})
    CHECK(dpp(pool, scores, t, 20, 0) == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("all candidates alike: the input order") {
  std::vector<float> vectors(6 * 5, 0.3f);
  const std::vector<double> scores{9, 9, 5, 3, 3, 1};
  Pool pool{.size = 6, .dimensions = 5, .vectors = vectors, .relevance = {}};
  for (const double t : {0.0, 0.01, 0.5, 1.0})
    for (const double jitter : {0.0, 1e-3})
      CHECK(dpp(pool, scores, t, 6, jitter) == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("sharp relevance does not underflow") {
  RandomPool data(1, 50, 20);
  for (const double t : {1e-12, 1e-6, 1e-3}) {
    const auto chosen = dpp(data.pool, data.scores, t, 50);
    CHECK(chosen.size() == 50);
    CHECK(chosen[0] == 0);
    if (t < 1e-8) CHECK(std::ranges::is_sorted(chosen));
  }
}
