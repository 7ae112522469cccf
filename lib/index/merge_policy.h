#pragma once
#include <cstdint>
#include <span>
#include <vector>

// Which segments a commit merges, so that there are few of them and little is written twice.
//
// Segments fall into classes by their live chunks: below 64, then by factors of eight. Eight of one
// class are merged, so that a chunk is written again once for every class it rises through, and n
// one-document commits leave at most seven segments a class. A commit spends no more on this than a
// fixed amount and a quarter of what it adds: a build that wrote a dozen big segments is not
// written all over again. When small commits keep that from working and there are more than sixteen
// segments, the eight smallest are merged whatever it costs; those of a million chunks and more are
// left alone. What the threads of one small build wrote apart is joined, since every search would look
// everything up in each. A segment of which more than a fifth is deleted is always written anew.
namespace ragline {

struct SegmentSize {
  std::uint32_t chunks = 0, deleted = 0;
  bool fresh = false;  // written by this commit
};

inline constexpr std::size_t kMergeFactor = 8, kMaxSegments = 16;
inline constexpr std::uint32_t kSmallestClass = 64, kLargeSegment = 1 << 20;
inline constexpr std::uint64_t kFreeMerge = 1 << 18;  // chunks
inline constexpr std::uint64_t kSmallBuild = 1 << 14;  // chunks

bool needs_rewrite(const SegmentSize& size);

// Groups of places in `sizes`, each to become one segment; every place at most once, ascending
// within a group. A group of one is a rewrite without the deleted. Fully deleted segments are in no
// group: they are just dropped.
std::vector<std::vector<std::size_t>> plan_merges(std::span<const SegmentSize> sizes,
                                                  std::uint64_t added_chunks);
// All into one (or as few as 2^31 chunks a segment allow); nothing when that is so already.
std::vector<std::vector<std::size_t>> plan_merge_all(std::span<const SegmentSize> sizes);

}  // namespace ragline
