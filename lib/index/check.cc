#include "index/check.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "core/text.h"
#include "index/leftovers.h"
#include "index/manifest.h"
#include "index/segment.h"
#include "index/segment_output.h"
#include "index/versions.h"

namespace ragline {

namespace {

class IndexCheck {
 public:
  IndexCheck(const Storage& storage, const Manifest& manifest, CheckReport& report)
      : storage_(storage), manifest_(manifest), report_(report) {}

  void run() {
    for (const SegmentEntry& entry : manifest_.segments) check_segment(entry);
    check_versions();
    auto leftovers = find_leftovers(storage_, manifest_);
    note(leftovers);
    if (leftovers) report_.leftovers = std::move(*leftovers);
  }

 private:
  template <class T>
  bool note(const Result<T>& result) {
    if (!result) report_.problems.push_back(result.error().message);
    return result.has_value();
  }
  void problem(std::string_view name, std::string_view what) {
    report_.problems.push_back(cat(storage_.describe(), "/", name, ": ", what,
                                   ": build the index anew, or restore it from a copy"));
  }

  void check_segment(const SegmentEntry& entry) {
    ++report_.segments;
    if (const auto bytes = segment_bytes(storage_, entry.name); note(bytes)) {
      report_.bytes += *bytes;
      if (*bytes != entry.bytes)
        problem(entry.name, cat("its files have ", *bytes, " bytes, MANIFEST says ", entry.bytes));
    }
    const auto opened = Segment::open(storage_, entry);
    if (!note(opened)) return;
    const Segment& segment = **opened;
    report_.documents += entry.documents - entry.deleted_documents;
    report_.chunks += entry.chunks - entry.deleted_chunks;
    note(segment.check());
    std::uint32_t deleted = 0;
    for (std::uint32_t document = 0; document < segment.document_count(); ++document) {
      if (segment.is_deleted_document(document))
        ++deleted;
      else
        count_version(segment, document);
    }
    if (deleted != entry.deleted_documents)
      problem(entry.name,
              cat(deleted, " documents are deleted, MANIFEST says ", entry.deleted_documents));
    segments_.push_back(*opened);
  }

  void count_version(const Segment& segment, std::uint32_t document) {
    const std::string_view id = segment.documents().id(document);
    if (!live_.emplace(id, segment.documents().version(document)).second)
      problem(segment.name(), cat("document '", id, "' is live twice in one version"));
  }

  void check_versions() {
    std::vector<std::string> several;
    for (auto at = live_.begin(); at != live_.end();) {
      const auto next =
          std::find_if(at, live_.end(), [&](const auto& one) { return one.first != at->first; });
      if (std::next(at) != next) several.emplace_back(at->first);
      at = next;
    }
    std::vector<std::string> listed;
    if (!manifest_.versions.empty()) {
      auto read = read_versions(storage_, manifest_.versions);
      if (!note(read)) return;
      listed = std::move(*read);
    }
    // Where a segment could not be opened, its problem is reported, and versions are missing for
    // that reason.
    if (listed != several && segments_.size() == manifest_.segments.size())
      problem(manifest_.versions.empty() ? "MANIFEST" : manifest_.versions,
              "the list of documents with several versions is wrong");
  }

  const Storage& storage_;
  const Manifest& manifest_;
  CheckReport& report_;
  std::vector<std::shared_ptr<const Segment>> segments_;          // keeps the views below valid
  std::set<std::pair<std::string_view, std::string_view>> live_;  // (id, version)
};

}  // namespace

Status check_index(const Storage& storage, CheckReport* report) {
  CheckReport own;
  CheckReport& out = report ? *report : own;
  RAGLINE_TRY(const Manifest manifest, read_manifest(storage));
  IndexCheck(storage, manifest, out).run();
  if (out.problems.empty()) return {};
  const std::size_t more = out.problems.size() - 1;
  return fail(ErrorKind::kCorrupt,
              more ? cat(out.problems.front(), " (and ", more, " more)") : out.problems.front());
}

}  // namespace ragline
