#include "search/phrase.h"

#include <algorithm>
#include <memory>

namespace ragline {

namespace {

// Reads one list for ascending chunks.
class PositionCursor {
 public:
  explicit PositionCursor(PostingList list) : list_(std::move(list)) {}
  const PostingList& list() const { return list_; }

  bool seek(std::uint32_t chunk) {
    block_ = list_.find_block(chunk, block_);
    if (block_ == list_.block_count()) return false;
    if (loaded_ != block_) {
      count_ = list_.decode(block_, docs_, tfs_);
      loaded_ = block_;
      has_positions_ = false;
    }
    const std::uint32_t* found = std::lower_bound(docs_, docs_ + count_, chunk);
    at_ = static_cast<std::uint32_t>(found - docs_);
    return at_ < count_ && *found == chunk;
  }
  // Of the chunk that seek() found.
  std::span<const std::uint32_t> positions() {
    if (!has_positions_) {
      if (!list_.decode_positions(block_, {tfs_, count_}, positions_)) return {};
      starts_.assign(1, 0);
      for (std::uint32_t i = 0; i < count_; ++i) starts_.push_back(starts_.back() + tfs_[i]);
      has_positions_ = true;
    }
    return std::span(positions_).subspan(starts_[at_], tfs_[at_]);
  }

 private:
  PostingList list_;
  std::uint32_t block_ = 0, loaded_ = UINT32_MAX, count_ = 0, at_ = 0;
  bool has_positions_ = false;
  std::uint32_t docs_[kBlock], tfs_[kBlock];
  std::vector<std::uint32_t> positions_;
  std::vector<std::size_t> starts_;
};

struct SlotCursors {
  std::uint32_t offset = 0;
  std::uint64_t size = 0;
  std::vector<std::unique_ptr<PositionCursor>> spellings;
  std::vector<std::int64_t> places;  // positions in the chunk in hand, moved back by offset, ascending

  bool seek(std::uint32_t chunk) {
    places.clear();
    for (auto& cursor : spellings) {
      if (!cursor->seek(chunk)) continue;
      for (std::uint32_t position : cursor->positions()) places.push_back(std::int64_t{position} - offset);
    }
    if (spellings.size() > 1) {
      std::sort(places.begin(), places.end());
      places.erase(std::unique(places.begin(), places.end()), places.end());
    }
    return !places.empty();
  }
};

// Sweeps over all places from the left: while the least and the greatest of the slots' heads are too far apart, the least moves on.
std::uint32_t count_matches(const std::vector<SlotCursors>& slots, std::uint32_t slop) {
  std::vector<std::size_t> heads(slots.size());
  std::uint32_t matches = 0;
  while (true) {
    std::size_t least = 0, greatest = 0;
    for (std::size_t i = 1; i < slots.size(); ++i) {
      if (slots[i].places[heads[i]] < slots[least].places[heads[least]]) least = i;
      if (slots[i].places[heads[i]] > slots[greatest].places[heads[greatest]]) greatest = i;
    }
    matches += slots[greatest].places[heads[greatest]] - slots[least].places[heads[least]] <= std::int64_t{slop};
    if (++heads[least] == slots[least].places.size()) return matches;
  }
}

}  // namespace

PostingList match_phrase(const SegmentPostings& segment, const std::vector<Leaf::Slot>& slots, std::uint32_t slop) {
  std::vector<SlotCursors> cursors;
  for (const Leaf::Slot& slot : slots) {
    SlotCursors& entry = cursors.emplace_back();
    entry.offset = slot.offset;
    for (const std::string& key : slot.keys)
      if (const auto info = segment.find(key)) {
        entry.spellings.push_back(std::make_unique<PositionCursor>(segment.list(*info)));
        entry.size += info->doc_freq;
      }
    if (entry.spellings.empty()) return {};
  }
  const auto rarest = std::min_element(cursors.begin(), cursors.end(), [](const auto& a, const auto& b) { return a.size < b.size; });
  std::vector<std::uint32_t> candidates;
  std::uint32_t docs[kBlock], tfs[kBlock];
  for (const auto& cursor : rarest->spellings)
    for (std::uint32_t block = 0; block < cursor->list().block_count(); ++block)
      candidates.insert(candidates.end(), docs, docs + cursor->list().decode(block, docs, tfs));
  if (rarest->spellings.size() > 1) {
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  }
  std::vector<std::uint32_t> found, counts;
  for (std::uint32_t chunk : candidates) {
    if (!std::all_of(cursors.begin(), cursors.end(), [&](SlotCursors& slot) { return slot.seek(chunk); })) continue;
    if (const std::uint32_t matches = count_matches(cursors, slop)) {
      found.push_back(chunk);
      counts.push_back(matches);
    }
  }
  return {std::move(found), std::move(counts)};
}

}  // namespace ragline
