#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/bitmap.h"
#include "index/segment.h"
#include "lexical/expand.h"
#include "lexical/rank.h"
#include "search/plan.h"

namespace ragline {

// Posting lists of one segment by key, and their decoded forms, kept from one query to the next. Not thread-safe.
class ListCache {
 public:
  explicit ListCache(const SegmentPostings& postings) : postings_(postings) {}
  struct Entry {
    PostingList list;
    FlatList flat;
    bool has_flat = false;
    bool used = false;
  };
  // Valid until trim().
  Entry& at(const std::string& key);
  // Between queries: forgets everything when more than `most` postings are kept decoded.
  void trim(std::size_t most);
  // The decoded form, for norms that must be the same in every call until the next forget_flat(). Null at a list's first use:
  // most words of a batch come once, and decoding to keep costs more than decoding.
  const FlatList* flat(Entry& entry, const ScoredList& list);
  void forget_flat();

 private:
  const SegmentPostings& postings_;
  std::unordered_map<std::string, Entry> entries_;
  std::size_t kept_ = 0;
};

// How many chunks of a list are in `chunks`; all of them when that is null. Decodes the list.
std::uint32_t count_within(const PostingList& list, const Bitmap* chunks);

// A plan's leaves in one segment, each made when it is first asked for. Not thread-safe; one query's.
class SegmentLists {
 public:
  // At most this many terms stand in for a prefix or a fuzzy word; cut() says that there were more.
  static constexpr std::size_t kMostTerms = 1024;

  // visible: chunks that the caller may see at all, or null for all of them; a term that stands in no other is never one that
  // a prefix or fuzzy word stands for.
  SegmentLists(const Segment& segment, const Plan& plan, ListCache& cache, const Bitmap* visible);
  // Postings of a leaf, gates applied.
  const PostingList& list(std::uint32_t leaf);
  // The cache's entry of a leaf that is one list of the index as it stands; null for leaves made from several.
  ListCache::Entry* cached(std::uint32_t leaf) { return plan_.leaves[leaf].gates.empty() ? sources_[leaf] : nullptr; }
  // Chunks that meet a condition.
  Bitmap matching(const Condition& condition);
  bool cut() const { return cut_; }
  // What prefixes and fuzzy words were found to stand for, without field and language.
  const std::vector<std::string>& expanded() const { return expanded_; }

 private:
  PostingList make(std::uint32_t number);
  const PostingList& without_gates(std::uint32_t leaf);
  ExpandedTerms expand(const Leaf& leaf) const;

  const Segment& segment_;
  const Plan& plan_;
  ListCache& cache_;
  const Bitmap* visible_;
  std::vector<std::optional<PostingList>> raw_, gated_;
  std::vector<ListCache::Entry*> sources_;
  std::vector<std::optional<Bitmap>> gates_;
  std::vector<std::string> expanded_;
  bool cut_ = false;
};

}  // namespace ragline
