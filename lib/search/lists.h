#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/bitmap.h"
#include "index/segment.h"
#include "search/plan.h"

namespace ragline {

// A plan's leaves in one segment, each made when it is first asked for. Not thread-safe; one query's.
class SegmentLists {
 public:
  // At most this many terms stand in for a prefix or a fuzzy word; cut() says that there were more.
  static constexpr std::size_t kMostTerms = 1024;

  SegmentLists(const Segment& segment, const Plan& plan);
  // Postings of a leaf, gates applied.
  const PostingList& list(std::uint32_t leaf);
  // Chunks that meet a condition.
  Bitmap matching(const Condition& condition);
  bool cut() const { return cut_; }
  // What prefixes and fuzzy words were found to stand for, without field and language.
  const std::vector<std::string>& expanded() const { return expanded_; }

 private:
  PostingList make(const Leaf& leaf);
  PostingList without_gates(std::uint32_t leaf);

  const Segment& segment_;
  const Plan& plan_;
  std::vector<std::optional<PostingList>> raw_, gated_;
  std::vector<std::optional<Bitmap>> gates_;
  std::vector<std::string> expanded_;
  bool cut_ = false;
};

}  // namespace ragline
