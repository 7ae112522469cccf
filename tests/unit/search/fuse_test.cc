#include "search/fuse.h"

#include <cmath>

#include "catch.h"

using namespace ragline;

namespace {

std::vector<ChunkHit> list(std::initializer_list<std::pair<std::uint32_t, double>> hits) {
  std::vector<ChunkHit> out;
  for (const auto& [chunk, score] : hits) out.push_back({0, chunk, score});
  return out;
}

}  // namespace

TEST_CASE("z-scores count chunks that share no word with the query as zeros") {
  // Of four chunks two are hits of words: scores 6, 4, 0, 0.
  const auto fused = fuse(list({{1, 6}, {2, 4}}), {}, 4, {});
  REQUIRE(fused.size() == 2);
  const double mean = 2.5, deviation = std::sqrt((3.5 * 3.5 + 1.5 * 1.5 + 2 * 2.5 * 2.5) / 4);
  CHECK(fused[0].hit.chunk == 1);
  CHECK(fused[0].sparse.normalised == Approx((6 - mean) / deviation));
  CHECK(fused[0].hit.score == Approx(0.4 * std::pow((6 - mean) / deviation, 2)));
  CHECK(fused[0].dense.rank == 0);
}

TEST_CASE("ranks alone decide in reciprocal rank fusion") {
  const auto fused = fuse(list({{1, 100}, {2, 1}}), list({{2, 0.9}, {3, 0.8}}), 10, {.fusion = Fusion::kRrf, .sparse_weight = 1, .dense_weight = 1});
  REQUIRE(fused.size() == 3);
  CHECK(fused[0].hit.chunk == 2);
  CHECK(fused[0].hit.score == Approx(1 / 62.0 + 1 / 61.0));
  CHECK(fused[0].sparse.rank == 2);
  CHECK(fused[0].dense.rank == 1);
  CHECK(fused[1].hit.chunk == 1);
  CHECK(fused[2].hit.chunk == 3);
}

TEST_CASE("min-max stretches each arm, and one value is the best there is") {
  const auto fused = fuse(list({{1, 4}, {2, 3}, {3, 2}}), list({{2, 0.5}}), 3, {.fusion = Fusion::kMinMax, .sparse_weight = 0.5, .dense_weight = 0.5});
  REQUIRE(fused.size() == 3);
  CHECK(fused[0].hit.chunk == 2);
  CHECK(fused[0].hit.score == Approx(0.5 * 0.5 + 0.5));
  CHECK(fused[1].hit.score == Approx(0.5));
  CHECK(fused[2].hit.score == Approx(0));
}

TEST_CASE("equal fused scores stand in the order of words, then of meaning") {
  const auto fused = fuse(list({{7, 1}, {5, 1}}), list({{9, 1}}), 2, {});
  REQUIRE(fused.size() == 3);
  CHECK(fused[0].hit.chunk == 7);
  CHECK(fused[1].hit.chunk == 5);
  CHECK(fused[2].hit.chunk == 9);
}

TEST_CASE("a hit beyond the candidates of an arm has nothing from it") {
  const auto fused = fuse(list({{1, 3}, {2, 2}, {3, 1}}), {}, 3, {.candidates = 2});
  CHECK(fused.size() == 2);
}
