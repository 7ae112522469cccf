#include "index/merge_policy.h"

#include <numeric>

#include "catch.h"

using namespace ragline;

namespace {

// Commits `commits` times `chunks` chunks in `segments` segments each; returns chunks written by
// merges.
struct Simulation {
  std::vector<SegmentSize> sizes;
  std::uint64_t written = 0;
  std::size_t most = 0;  // segments at any time

  void commit(std::uint32_t chunks, std::size_t segments = 1) {
    for (std::size_t i = 0; i < segments; ++i) sizes.push_back({chunks, 0});
    const auto groups = plan_merges(sizes, std::uint64_t{chunks} * segments);
    std::vector<bool> gone(sizes.size());
    std::vector<SegmentSize> made;
    for (const auto& group : groups) {
      SegmentSize merged;
      for (std::size_t i : group) {
        REQUIRE_FALSE(gone[i]);
        gone[i] = true;
        merged.chunks += sizes[i].chunks - sizes[i].deleted;
      }
      written += merged.chunks;
      made.push_back(merged);
    }
    std::vector<SegmentSize> left;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (!gone[i]) left.push_back(sizes[i]);
    left.insert(left.end(), made.begin(), made.end());
    sizes = left;
    most = std::max(most, sizes.size());
  }
};

}  // namespace

TEST_CASE("tantivy_2932_a_thousand_small_commits_leave_few_segments") {
  Simulation simulation;
  for (int i = 0; i < 1000; ++i) simulation.commit(1);
  CHECK(simulation.most < 20);
  CHECK(simulation.sizes.size() < 20);
  CHECK(simulation.written < 1000 * 12);  // about a dozen times a chunk, not a thousand
}

TEST_CASE("merging stays bounded as small commits go on") {
  for (std::uint32_t chunks : {1u, 100u, 5000u}) {
    Simulation simulation;
    const int commits = 3000;
    for (int i = 0; i < commits; ++i) simulation.commit(chunks);
    INFO(chunks);
    CHECK(simulation.most < 40);
    CHECK(simulation.written < std::uint64_t{chunks} * commits * 16);
  }
}

TEST_CASE("a big build does not write its segments again") {
  Simulation simulation;
  simulation.commit(600'000, 12);
  CHECK(simulation.written == 0);
  simulation.commit(1);
  CHECK(simulation.written == 0);
}

TEST_CASE("a segment with more than a fifth deleted is written anew, a dead one only dropped") {
  const SegmentSize sizes[] = {{1000, 200}, {1000, 201}, {50, 50}, {10, 0}};
  const auto groups = plan_merges(sizes, 0);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0] == std::vector<std::size_t>{1});
}

TEST_CASE("merging everything leaves one segment and nothing to do the next time") {
  const SegmentSize sizes[] = {{10, 0}, {2'000'000, 5}, {7, 7}, {3, 0}};
  const auto groups = plan_merge_all(sizes);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0] == std::vector<std::size_t>{0, 1, 3});
  const SegmentSize one[] = {{10, 0}};
  CHECK(plan_merge_all(one).empty());
  const SegmentSize with_deletes[] = {{10, 1}};
  CHECK(plan_merge_all(with_deletes).size() == 1);
  const SegmentSize huge[] = {{2'000'000'000, 0}, {2'000'000'000, 0}, {100, 0}};
  CHECK(plan_merge_all(huge).size() ==
        1);  // the small one joins a neighbour, the two do not fit together
}
