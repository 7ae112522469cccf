#include "lexical/frontier.h"

#include <algorithm>
#include <array>
#include <vector>

namespace ragline {

namespace {

std::uint16_t clamp16(std::uint32_t value) { return static_cast<std::uint16_t>(std::min<std::uint32_t>(value, 65535)); }

// From high tf to low, keeping what is shorter than everything before it.
void pareto(std::span<const std::uint32_t> tfs, std::span<const std::uint32_t> lengths, std::vector<ImpactPair>& out) {
  // Nearly every tf is small: the least length for each of those in one pass, the rest sorted.
  constexpr std::uint32_t kSmall = 32;
  std::array<std::uint32_t, kSmall> least;
  least.fill(UINT32_MAX);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> large;
  for (std::size_t i = 0; i < tfs.size(); ++i) {
    if (tfs[i] < kSmall) {
      least[tfs[i]] = std::min(least[tfs[i]], lengths[i]);
    } else {
      large.emplace_back(tfs[i], lengths[i]);
    }
  }
  std::uint64_t shortest = UINT64_MAX;
  auto take = [&](std::uint32_t tf, std::uint32_t length) {
    if (length >= shortest) return;
    shortest = length;
    out.push_back({clamp16(tf), clamp16(length)});
  };
  std::sort(large.begin(), large.end(), [](auto a, auto b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  for (auto [tf, length] : large) take(tf, length);
  for (std::uint32_t tf = kSmall; tf-- > 0;)
    if (least[tf] != UINT32_MAX) take(tf, least[tf]);
}

}  // namespace

void make_frontier(std::span<const std::uint32_t> tfs, std::span<const std::uint32_t> lengths, ImpactPair (&out)[kFrontier]) {
  static thread_local std::vector<ImpactPair> pairs;
  pairs.clear();
  pareto(tfs, lengths, pairs);
  while (pairs.size() > kFrontier) {
    std::size_t best = 0;
    double least_loss = 0;
    for (std::size_t i = 0; i + 1 < pairs.size(); ++i) {
      const double loss = (pairs[i].tf + 1.0) / (pairs[i + 1].tf + 1.0) * (pairs[i].length + 1.0) / (pairs[i + 1].length + 1.0);
      if (i == 0 || loss < least_loss) {
        best = i;
        least_loss = loss;
      }
    }
    pairs[best].length = pairs[best + 1].length;
    pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
  for (std::size_t i = 0; i < kFrontier; ++i) out[i] = pairs[std::min(i, pairs.size() - 1)];
}

}  // namespace ragline
