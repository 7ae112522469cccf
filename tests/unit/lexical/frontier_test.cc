#include "lexical/frontier.h"

#include <algorithm>
#include <random>
#include <vector>

#include "catch.h"

using namespace ragline;

TEST_CASE("a frontier of at most four pairs bounds every posting") {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    const std::size_t count = 1 + random() % 128;
    std::vector<std::uint32_t> tfs(count), lengths(count);
    const std::uint32_t high_tf = round % 7 == 0 ? 100'000 : 1 + static_cast<std::uint32_t>(random()) % 60;
    const std::uint32_t high_length = round % 5 == 0 ? 200'000 : 1 + static_cast<std::uint32_t>(random()) % 500;
    for (std::size_t i = 0; i < count; ++i) {
      tfs[i] = 1 + static_cast<std::uint32_t>(random()) % high_tf;
      lengths[i] = static_cast<std::uint32_t>(random()) % high_length;
    }
    ImpactPair pairs[kFrontier];
    make_frontier(tfs, lengths, pairs);
    for (std::size_t i = 0; i < count; ++i) {
      INFO("round " << round << " tf " << tfs[i] << " length " << lengths[i]);
      REQUIRE(std::any_of(pairs, pairs + kFrontier, [&](ImpactPair p) {
        return p.tf >= std::min(tfs[i], 65535u) && p.length <= std::min(lengths[i], 65535u);
      }));
    }
  }
}
