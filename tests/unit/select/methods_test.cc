// Every other method against its set function, evaluated with and without each candidate; and the
// limits, which hold for all.
#include <algorithm>

#include "catch.h"
#include "pools.h"
#include "rounds.h"
#include "select/dot.h"
#include "select/method.h"
#include "select/relevance.h"

using namespace ragline;
using namespace ragline::testing;

namespace {

using Set = std::vector<std::uint32_t>;

Set chosen_by(std::string_view method, RandomPool& data, double t, const Limits& limits,
              std::size_t window = 0) {
  const auto picks =
      select(data.pool, data.scores,
             {.method = find_method(method), .diversity = t, .window = window}, limits);
  REQUIRE(picks.has_value());
  Set out;
  for (const Pick& pick : *picks) out.push_back(pick.candidate);
  return out;
}

// What a set is worth, written down as the method's definition has it.
using Worth = double (*)(const Set&, const Matrix& cosines, const Pool&, double t, std::size_t k);

double relevance_of(const Set& set, const Pool& pool) {
  const auto unit = unit_scores(pool.relevance);
  double sum = 0;
  for (const auto i : set) sum += unit[i];
  return sum;
}

double mmr_worth(const Set& set, const Matrix& s, const Pool& pool, double t, std::size_t) {
  double nearest = set.size() > 1 ? -1 : 0;
  for (std::size_t p = 0; p + 1 < set.size(); ++p)
    nearest = std::max(nearest, s[set[p]][set.back()]);
  return (1 - t) * relevance_of({set.back()}, pool) - t * nearest;
}

double msd_worth(const Set& set, const Matrix& s, const Pool& pool, double t, std::size_t k) {
  double distances = 0;
  for (std::size_t a = 0; a < set.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) distances += 1 - s[set[a]][set[b]];
  return (1 - t) * relevance_of(set, pool) + t / static_cast<double>(k - 1) * distances;
}

double facility_worth(const Set& set, const Matrix& s, const Pool& pool, double t, std::size_t) {
  double covered = 0;
  for (std::size_t j = 0; j < pool.size; ++j) {
    double best = 0;
    for (const auto i : set) best = std::max(best, s[i][j]);
    covered += best;
  }
  return (1 - t) * relevance_of(set, pool) + t * covered / static_cast<double>(pool.size);
}

double cover_worth(const Set& set, const Matrix& s, const Pool& pool, double t, std::size_t) {
  double covered = 0;
  for (std::size_t j = 0; j < pool.size; ++j) {
    double sum = 0;
    for (const auto i : set) sum += std::max(s[i][j], 0.0);
    covered += std::sqrt(sum);
  }
  return (1 - t) * relevance_of(set, pool) + t * covered / static_cast<double>(pool.size);
}

double xquad_worth(const Set& set, const Matrix&, const Pool& pool, double t, std::size_t) {
  double covered = 0;
  for (std::size_t a = 0; a < pool.aspects; ++a) {
    double open = 1;
    for (const auto i : set) open *= 1 - pool.answers[i * pool.aspects + a];
    covered += 1 - open;
  }
  return (1 - t) * relevance_of(set, pool) + t * covered / static_cast<double>(pool.aspects);
}

}  // namespace

TEST_CASE("each method is greedy by its definition") {
  const std::pair<std::string_view, Worth> methods[] = {{"mmr", mmr_worth},
                                                        {"msd", msd_worth},
                                                        {"facility", facility_worth},
                                                        {"cover", cover_worth},
                                                        {"xquad", xquad_worth}};
  for (std::uint64_t seed = 0; seed < rounds(25); ++seed) {
    Random random(seed);
    RandomPool data(seed, 2 + random.below(20), 8 + random.below(40));
    data.pool.aspects = 3;
    for (std::size_t i = 0; i < 3 * data.pool.size; ++i)
      data.pool.answers.push_back(random.uniform());
    const double t = random.uniform();
    const std::size_t k = std::min<std::size_t>(2 + random.below(6), data.pool.size);
    const Matrix cosines = kernel_of(data.pool, 0);
    for (const auto& [name, worth] : methods) {
      INFO(name << ", seed " << seed);
      const Set expected = plain_greedy(
          data.pool.size, k, [&](const Set& set) { return worth(set, cosines, data.pool, t, k); });
      REQUIRE(chosen_by(name, data, t, {.count = k}) == expected);
    }
  }
}

TEST_CASE("ssd sums relevance and residual length") {
  for (std::uint64_t seed = 0; seed < rounds(20); ++seed) {
    RandomPool data(seed, 20, 30);
    const auto z = z_scores(data.scores);
    const Matrix kernel = kernel_of(data.pool, 1e-3, true);
    const auto expected = plain_greedy(20, 8, [&](const Set& set) {
      const std::size_t from = set.size() > 4 ? set.size() - 4 : 0;
      const Set last(set.begin() + static_cast<std::ptrdiff_t>(from), set.end()),
          before(last.begin(), last.end() - 1);
      return 0.5 * z[set.back()] +
             0.5 * std::exp((log_det(kernel, last) - log_det(kernel, before)) / 2);
    });
    INFO("seed " << seed);
    REQUIRE(chosen_by("ssd", data, 0.5, {.count = 8}, 3) == expected);
  }
}

TEST_CASE("llamaindex_22684_mmr_minds_all_picks_not_the_last") {
  // c repeats a, which was picked first; b is far from both.
  const std::vector<float> vectors{1, 0, 0, 1, 1, 0.01f, 0.6f, 0.6f};
  Pool pool{.size = 4, .dimensions = 2, .vectors = vectors, .relevance = {}};
  const std::vector<double> scores{1, 0.9, 0.8, 0.1};
  const auto picks =
      select(pool, scores, {.method = find_method("mmr"), .diversity = 0.8}, {.count = 3});
  CHECK((*picks)[2].candidate == 3);
}

TEST_CASE("top leaves near-duplicates out") {
  const std::vector<float> vectors{1, 0, 2, 0.02f, 0, 1, 0.02f, 3};
  Pool pool{.size = 4, .dimensions = 2, .vectors = vectors, .relevance = {}};
  const std::vector<double> scores{4, 3, 2, 1};
  const auto picks = select(pool, scores, {.method = find_method("top")}, {.count = 4});
  REQUIRE(picks->size() == 2);
  CHECK((*picks)[0].candidate == 0);
  CHECK((*picks)[1].candidate == 2);
}

TEST_CASE("limits hold for every method") {
  for (const Method& method : methods()) {
    for (std::uint64_t seed = 0; seed < rounds(10); ++seed) {
      RandomPool data(seed, 40, 16);
      Random random(seed + 100);
      data.pool.aspects = 2;
      data.pool.answers.assign(80, 0.3);
      Limits limits{.count = 12, .budget = 60, .required = {33, 21}};
      Cap cap{.most = 2};
      for (std::size_t i = 0; i < 40; ++i) {
        limits.costs.push_back(1 + random.below(12));
        cap.group.push_back(random.below(9));
      }
      limits.caps.push_back(cap);
      const Set set = chosen_by(method.name, data, 0.4, limits);
      INFO(method.name << ", seed " << seed);
      REQUIRE(set.size() >= 2);
      CHECK((set[0] == 33 && set[1] == 21));
      CHECK(set.size() <= 12);
      std::uint64_t cost = 0;
      std::vector<int> counts(9);
      for (const auto i : set) cost += limits.costs[i], ++counts[cap.group[i]];
      CHECK(cost <= 60);
      CHECK(std::ranges::max(counts) <= 2);
      // Nothing that still fits was left, unless the method itself refuses it.
      if (method.name != "top" && set.size() < 12)
        for (std::uint32_t i = 0; i < 40; ++i)
          if (std::ranges::find(set, i) == set.end())
            CHECK((limits.costs[i] > 60 - cost || counts[cap.group[i]] >= 2));
    }
  }
}

TEST_CASE("a required candidate that does not fit is left out") {
  RandomPool data(1, 3, 4);
  Limits limits{.count = 3, .budget = 5, .costs = {5, 9, 1}, .required = {1, 0}};
  CHECK(chosen_by("dpp", data, 0.5, limits) == Set{0});
}

TEST_CASE("one candidate, and none") {
  for (const Method& method : methods()) {
    RandomPool one(1, 1, 4), none(1, 0, 4);
    one.pool.aspects = 1;
    one.pool.answers = {1};
    CHECK(chosen_by(method.name, one, method.diversity, {.count = 5}) == Set{0});
    CHECK(chosen_by(method.name, none, method.diversity, {.count = 5}).empty());
  }
}

TEST_CASE("facility location says how many candidates it takes") {
  std::vector<float> vectors(kMostCovered + 1, 1.f);
  const std::vector<double> scores(kMostCovered + 1, 1.0);
  Pool pool{.size = kMostCovered + 1, .dimensions = 1, .vectors = vectors, .relevance = {}};
  const auto picks = select(pool, scores, {.method = find_method("facility")}, {.count = 5});
  REQUIRE(!picks);
  CHECK(picks.error().kind == ErrorKind::kLimit);
  CHECK(picks.error().message ==
        "4097 candidates: facility compares all with all and takes 4096: ask for fewer, or use "
        "another method");
}

TEST_CASE("scores of any scale become comparable") {
  CHECK(z_scores(std::vector<double>{3, 3, 3}) == std::vector<double>{0, 0, 0});
  CHECK(z_scores(std::vector<double>{0.1, 0.1, 0.1}) == std::vector<double>{0, 0, 0});
  CHECK(unit_scores(std::vector<double>{3, 3}) == std::vector<double>{1, 1});
  const auto z = z_scores(std::vector<double>{1e300, 0, -1e300});
  CHECK(near(z[0], 1.224744871));
  CHECK(z[2] == -z[0]);
  CHECK(unit_scores(std::vector<double>{1.7e308, 0, -1.7e308}) == std::vector<double>{1, 0.5, 0});
  CHECK(unit_scores(std::vector<double>{}).empty());
}

TEST_CASE("products of every width agree with double") {
  for (std::size_t size = 1; size < 100; ++size) {
    Random random(size);
    std::vector<float> a(size), rows(7 * size), out(7);
    for (float& x : a) x = static_cast<float>(random.normal());
    for (float& x : rows) x = static_cast<float>(random.normal());
    dots(a, rows, out);
    for (std::size_t r = 0; r < 7; ++r) {
      const std::span<const float> row = std::span(rows).subspan(r * size, size);
      CHECK(std::abs(static_cast<double>(out[r]) - dot(a, row)) <
            1e-6 * std::sqrt(dot(a, a) * dot(row, row)) + 1e-9);
    }
  }
}
