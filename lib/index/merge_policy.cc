#include "index/merge_policy.h"

#include <algorithm>
#include <numeric>

namespace ragline {

namespace {

constexpr std::uint64_t kMostChunks = std::uint64_t{1} << 31;  // of one segment

// A segment as it will be: one that exists, or a planned merge of several.
struct Planned {
  std::uint64_t live = 0;
  std::vector<std::size_t> members;
};

std::size_t size_class(std::uint64_t live) {
  std::size_t result = 0;
  for (; live >= kSmallestClass; live /= kMergeFactor) ++result;
  return result;
}

std::uint64_t total(std::span<const Planned> plan) {
  return std::accumulate(plan.begin(), plan.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Planned& one) { return sum + one.live; });
}

// Joins plan[begin, end) into one.
void join(std::vector<Planned>& plan, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin + 1; i < end; ++i) {
    plan[begin].live += plan[i].live;
    plan[begin].members.insert(plan[begin].members.end(), plan[i].members.begin(),
                               plan[i].members.end());
  }
  plan.erase(plan.begin() + static_cast<std::ptrdiff_t>(begin + 1),
             plan.begin() + static_cast<std::ptrdiff_t>(end));
}

void sort_by_size(std::vector<Planned>& plan) {
  std::stable_sort(plan.begin(), plan.end(),
                   [](const Planned& a, const Planned& b) { return a.live < b.live; });
}

// One merge of a full class, if the budget allows one; the smallest class first, since it is the
// cheapest.
bool merge_class(std::vector<Planned>& plan, std::uint64_t& budget) {
  sort_by_size(plan);
  for (std::size_t begin = 0, end; begin < plan.size(); begin = end) {
    end = begin;
    while (end < plan.size() && size_class(plan[end].live) == size_class(plan[begin].live)) ++end;
    if (end - begin < kMergeFactor || plan[begin].live >= kLargeSegment) continue;
    const std::uint64_t cost = total(std::span(plan).subspan(begin, end - begin));
    if (cost > budget) continue;
    budget -= cost;
    join(plan, begin, end);
    return true;
  }
  return false;
}

bool merge_excess(std::vector<Planned>& plan) {
  sort_by_size(plan);
  const auto small = static_cast<std::size_t>(std::count_if(
      plan.begin(), plan.end(), [](const Planned& one) { return one.live < kLargeSegment; }));
  if (small <= kMaxSegments) return false;
  join(plan, 0, kMergeFactor);
  return true;
}

std::vector<Planned> live_segments(std::span<const SegmentSize> sizes) {
  std::vector<Planned> plan;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i].deleted < sizes[i].chunks)
      plan.push_back({sizes[i].chunks - sizes[i].deleted, {i}});
  return plan;
}

// The fresh ones as one, when they are few chunks together.
void join_small_build(std::vector<Planned>& plan, std::span<const SegmentSize> sizes) {
  const auto first_fresh = std::stable_partition(
      plan.begin(), plan.end(), [&](const Planned& one) { return !sizes[one.members[0]].fresh; });
  const auto begin = static_cast<std::size_t>(first_fresh - plan.begin());
  if (plan.size() - begin < 2 || total(std::span(plan).subspan(begin)) > kSmallBuild) return;
  join(plan, begin, plan.size());
}

std::vector<std::vector<std::size_t>> groups(std::vector<Planned>&& plan,
                                             std::span<const SegmentSize> sizes,
                                             bool (*rewrite)(const SegmentSize&)) {
  std::vector<std::vector<std::size_t>> out;
  for (Planned& one : plan) {
    if (one.members.size() == 1 && !rewrite(sizes[one.members[0]])) continue;
    std::sort(one.members.begin(), one.members.end());
    out.push_back(std::move(one.members));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

bool needs_rewrite(const SegmentSize& size) {
  return std::uint64_t{size.deleted} * 5 > size.chunks;
}

std::vector<std::vector<std::size_t>> plan_merges(std::span<const SegmentSize> sizes,
                                                  std::uint64_t added_chunks) {
  std::vector<Planned> plan = live_segments(sizes);
  join_small_build(plan, sizes);
  std::uint64_t budget = kFreeMerge + added_chunks / 4;
  while (merge_class(plan, budget)) {
  }
  while (merge_excess(plan)) {
  }
  return groups(std::move(plan), sizes, needs_rewrite);
}

std::vector<std::vector<std::size_t>> plan_merge_all(std::span<const SegmentSize> sizes) {
  std::vector<Planned> plan = live_segments(sizes);
  for (std::size_t i = 0; i + 1 < plan.size();) {
    if (plan[i].live + plan[i + 1].live <= kMostChunks)
      join(plan, i, i + 2);
    else
      ++i;
  }
  return groups(std::move(plan), sizes, [](const SegmentSize& size) { return size.deleted > 0; });
}

}  // namespace ragline
