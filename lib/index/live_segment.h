#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "core/bitmap.h"
#include "index/manifest.h"
#include "index/segment.h"

namespace ragline {

// A segment of the next commit, with the deletes gathered for it so far.
struct LiveSegment {
  SegmentEntry entry;
  std::shared_ptr<const Segment> segment;  // with the deletes it was opened with
  std::optional<Bitmap> deleted;           // chunks; nullopt: none
  bool deletes_changed = false;            // `deleted` is not what entry.deletes holds
  bool is_new = false;                     // built in this session

  LiveSegment(SegmentEntry of, std::shared_ptr<const Segment> open)
      : entry(std::move(of)), segment(std::move(open)) {
    if (segment->deleted()) deleted = *segment->deleted();
  }
  std::uint32_t live_chunks() const { return entry.chunks - entry.deleted_chunks; }
  bool is_deleted(std::uint32_t document) const {
    return deleted && deleted->test(segment->first_chunks()[document]);
  }
  // False when it is deleted already.
  bool mark(std::uint32_t document) {
    if (is_deleted(document)) return false;
    if (!deleted) deleted.emplace(entry.chunks);
    const std::uint32_t begin = segment->first_chunks()[document],
                        end = segment->first_chunks()[document + 1];
    deleted->set_range(begin, end);
    entry.deleted_chunks += end - begin;
    ++entry.deleted_documents;
    return deletes_changed = true;
  }
};

}  // namespace ragline
