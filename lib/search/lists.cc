#include "search/lists.h"

#include <algorithm>
#include <utility>

#include "search/phrase.h"

namespace ragline {

namespace {

// One list of several: tf is their sum, or the largest.
PostingList unite(const std::vector<PostingList>& lists, bool sum) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  std::uint32_t docs[kBlock], tfs[kBlock];
  for (const PostingList& list : lists)
    for (std::uint32_t block = 0; block < list.block_count(); ++block) {
      const std::uint32_t count = list.decode(block, docs, tfs);
      for (std::uint32_t i = 0; i < count; ++i) all.emplace_back(docs[i], tfs[i]);
    }
  std::sort(all.begin(), all.end());
  std::vector<std::uint32_t> united, counts;
  for (auto [doc, tf] : all) {
    if (!united.empty() && united.back() == doc) {
      counts.back() = sum ? counts.back() + tf : std::max(counts.back(), tf);
    } else {
      united.push_back(doc);
      counts.push_back(tf);
    }
  }
  return {std::move(united), std::move(counts)};
}

PostingList keep(const PostingList& list, const Bitmap& chunks) {
  std::vector<std::uint32_t> kept, counts;
  std::uint32_t docs[kBlock], tfs[kBlock];
  for (std::uint32_t block = 0; block < list.block_count(); ++block) {
    const std::uint32_t count = list.decode(block, docs, tfs);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!chunks.test(docs[i])) continue;
      kept.push_back(docs[i]);
      counts.push_back(tfs[i]);
    }
  }
  return {std::move(kept), std::move(counts)};
}

}  // namespace

ListCache::Entry& ListCache::at(const std::string& key) {
  auto [place, added] = entries_.try_emplace(key);
  if (added) place->second.list = postings_.list(key);
  return place->second;
}

void ListCache::trim(std::size_t most) {
  constexpr std::size_t kMostKeys = 1 << 16;
  if (kept_ <= most && entries_.size() <= kMostKeys) return;
  entries_.clear();
  kept_ = 0;
}

const FlatList* ListCache::flat(Entry& entry, const ScoredList& list) {
  if (!std::exchange(entry.used, true)) return nullptr;
  if (!entry.has_flat) {
    entry.flat = flatten(list);
    entry.has_flat = true;
    kept_ += entry.flat.docs.size();
  }
  return &entry.flat;
}

void ListCache::forget_flat() {
  for (auto& [key, entry] : entries_) {
    entry.flat = {};
    entry.has_flat = false;
  }
  kept_ = 0;
}

std::uint32_t count_within(const PostingList& list, const Bitmap* chunks) {
  if (!chunks) return list.size();
  std::uint32_t total = 0, docs[kBlock], tfs[kBlock];
  for (std::uint32_t block = 0; block < list.block_count(); ++block) {
    const std::uint32_t count = list.decode(block, docs, tfs);
    for (std::uint32_t i = 0; i < count; ++i) total += chunks->test(docs[i]);
  }
  return total;
}

SegmentLists::SegmentLists(const Segment& segment, const Plan& plan, ListCache& cache, const Bitmap* visible)
    : segment_(segment),
      plan_(plan),
      cache_(cache),
      visible_(visible),
      raw_(plan.leaves.size()),
      gated_(plan.leaves.size()),
      sources_(plan.leaves.size()),
      gates_(plan.gates.size()) {}

ExpandedTerms SegmentLists::expand(const Leaf& leaf) const {
  const SegmentPostings& postings = segment_.postings();
  const std::string_view term = std::string_view(leaf.keys[0]).substr(2);
  CountChunks count;
  if (visible_) count = [&](const TermInfo& info) { return count_within(postings.list(info), visible_); };
  return leaf.kind == Leaf::Kind::kPrefix ? expand_prefix(postings, leaf.field, leaf.language, term, kMostTerms, count)
                                          : expand_fuzzy(postings, leaf.field, leaf.language, term, leaf.slop, kMostTerms, count);
}

PostingList SegmentLists::make(std::uint32_t number) {
  const Leaf& leaf = plan_.leaves[number];
  const SegmentPostings& postings = segment_.postings();
  if (leaf.kind == Leaf::Kind::kPhrase) return match_phrase(postings, leaf.slots, leaf.slop);

  std::vector<std::string> keys = leaf.keys;
  const bool expanded = leaf.kind == Leaf::Kind::kPrefix || leaf.kind == Leaf::Kind::kFuzzy;
  if (expanded) {
    const ExpandedTerms found = expand(leaf);
    cut_ = cut_ || found.cut;
    expanded_.insert(expanded_.end(), found.terms.begin(), found.terms.end());
    for (const std::string& other : found.terms) keys.push_back(term_key(leaf.field, leaf.language, other));
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  }
  std::vector<PostingList> lists;
  for (const std::string& key : keys) {
    ListCache::Entry& entry = cache_.at(key);
    if (entry.list.size() == 0) continue;
    sources_[number] = lists.empty() ? &entry : nullptr;
    lists.push_back(entry.list);
  }
  if (lists.empty()) return {};
  return lists.size() == 1 ? lists.front() : unite(lists, expanded);
}

const PostingList& SegmentLists::without_gates(std::uint32_t leaf) {
  if (!raw_[leaf]) raw_[leaf] = make(leaf);
  return *raw_[leaf];
}

const PostingList& SegmentLists::list(std::uint32_t leaf) {
  if (gated_[leaf]) return *gated_[leaf];
  if (plan_.leaves[leaf].gates.empty()) return without_gates(leaf);
  PostingList list = without_gates(leaf);
  for (int gate : plan_.leaves[leaf].gates) {
    auto& chunks = gates_[static_cast<std::size_t>(gate)];
    if (!chunks) chunks = matching(plan_.gates[static_cast<std::size_t>(gate)]);
    list = keep(list, *chunks);
  }
  gated_[leaf] = std::move(list);
  return *gated_[leaf];
}

Bitmap SegmentLists::matching(const Condition& condition) {
  Bitmap chunks(segment_.chunk_count());
  switch (condition.kind) {
    case Condition::Kind::kLeaf: without_gates(condition.leaf).collect(chunks); break;
    case Condition::Kind::kAny:
      for (const Condition& child : condition.children) chunks |= matching(child);
      break;
    case Condition::Kind::kAll:
      chunks.flip();
      for (const Condition& child : condition.children) chunks &= matching(child);
      break;
    case Condition::Kind::kNot: chunks = matching(condition.children.front()).flip(); break;
  }
  return chunks;
}

}  // namespace ragline
