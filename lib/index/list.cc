#include "index/list.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/interrupt.h"

namespace ragline {

namespace {

// The documents of one segment that pass, by (id, version).
class Cursor {
 public:
  Cursor(const Segment& segment, const std::optional<Bitmap>& passing) : segment_(&segment), passing_(passing ? &*passing : nullptr) { settle(); }
  bool at_end() const { return place_ == segment_->document_count(); }
  std::pair<std::string_view, std::string_view> key() const {
    return {segment_->documents().id(document()), segment_->documents().version(document())};
  }
  Result<Document> record() { return segment_->document_record(document(), open_); }
  void next() {
    ++place_;
    settle();
  }

 private:
  std::uint32_t document() const { return segment_->documents().in_order(place_); }
  void settle() {
    while (!at_end() && !passes()) ++place_;
  }
  bool passes() const {
    if (document() >= segment_->document_count()) return false;
    if (!passing_) return true;
    const auto first = segment_->first_chunks();
    for (std::uint32_t chunk = first[document()]; chunk < first[document() + 1]; ++chunk)
      if (passing_->test(chunk)) return true;
    return false;
  }

  const Segment* segment_;
  const Bitmap* passing_;  // null: all
  std::uint32_t place_ = 0;
  Segment::OpenBlock open_;
};

}  // namespace

Status list_documents(const Snapshot& snapshot, const ScopeBitmaps& scope, const std::function<Status(const Document&)>& visit) {
  std::vector<Cursor> cursors;
  for (std::size_t i = 0; i < snapshot.segments.size(); ++i) cursors.emplace_back(*snapshot.segments[i], scope.chunks[i]);
  while (true) {
    if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
    std::erase_if(cursors, [](const Cursor& cursor) { return cursor.at_end(); });
    if (cursors.empty()) return {};
    // Segments are few: looking at each is as good as a heap.
    Cursor& first = *std::min_element(cursors.begin(), cursors.end(), [](const Cursor& a, const Cursor& b) { return a.key() < b.key(); });
    RAGLINE_TRY(const Document document, first.record());
    RAGLINE_CHECK(visit(document));
    first.next();
  }
}

}  // namespace ragline
