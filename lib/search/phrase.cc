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
  std::size_t word = 0;  // the first slot of the same word
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

// Whether the slots of a repeated word can all have positions of their own, in a match that has slot `least` leftmost. The
// ranges of a word's slots begin and end in the order of the slots, so that giving each the first that is free finds a way if
// there is one.
bool stand_apart(const std::vector<SlotCursors>& slots, std::size_t least, std::int64_t leftmost, std::uint32_t slop) {
  const std::int64_t first = leftmost + slots[least].offset;  // the position of slot `least`
  std::vector<std::int64_t> last(slots.size(), INT64_MIN);    // by word: the position given last
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (i == least) continue;
    const auto& [offset, word, size, spellings, places] = slots[i];
    std::int64_t from = leftmost + (i < least ? 1 : 0);
    if (last[word] != INT64_MIN) from = std::max(from, last[word] + 1 - offset);
    auto at = std::lower_bound(places.begin(), places.end(), from);
    if (at != places.end() && word == slots[least].word && *at + offset == first) ++at;
    if (at == places.end() || *at - leftmost > std::int64_t{slop}) return false;
    last[word] = *at + offset;
  }
  return true;
}

// Sweeps over all places from the left: while the least and the greatest of the slots' heads are too far apart, the least moves on.
std::uint32_t count_matches(const std::vector<SlotCursors>& slots, std::uint32_t slop, bool repeats) {
  std::vector<std::size_t> heads(slots.size());
  std::uint32_t matches = 0;
  while (true) {
    std::size_t least = 0, greatest = 0;
    for (std::size_t i = 1; i < slots.size(); ++i) {
      if (slots[i].places[heads[i]] < slots[least].places[heads[least]]) least = i;
      if (slots[i].places[heads[i]] > slots[greatest].places[heads[greatest]]) greatest = i;
    }
    const std::int64_t leftmost = slots[least].places[heads[least]];
    if (slots[greatest].places[heads[greatest]] - leftmost <= std::int64_t{slop})
      matches += !repeats || stand_apart(slots, least, leftmost, slop);
    if (++heads[least] == slots[least].places.size()) return matches;
  }
}

}  // namespace

PostingList match_phrase(const SegmentPostings& segment, const std::vector<Leaf::Slot>& slots, std::uint32_t slop) {
  std::vector<SlotCursors> cursors;
  bool repeats = false;
  for (const Leaf::Slot& slot : slots) {
    SlotCursors& entry = cursors.emplace_back();
    entry.offset = slot.offset;
    const auto same = std::find_if(slots.begin(), slots.end(), [&](const Leaf::Slot& other) { return other.keys == slot.keys; });
    entry.word = static_cast<std::size_t>(same - slots.begin());
    repeats = repeats || (slop > 0 && &*same != &slot);
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
    if (const std::uint32_t matches = count_matches(cursors, slop, repeats)) {
      found.push_back(chunk);
      counts.push_back(matches);
    }
  }
  return {std::move(found), std::move(counts)};
}

}  // namespace ragline
