#include "index/commit.h"

#include <algorithm>

#include "analysis/analyzer.h"
#include "core/text.h"
#include "index/deletes.h"
#include "index/merge_policy.h"
#include "index/segment_files.h"
#include "index/versions.h"

namespace ragline {

namespace {

Result<std::vector<LiveSegment>> open_built(const Storage& storage,
                                            const std::vector<BuiltSegment>& built) {
  std::vector<LiveSegment> added;
  for (const BuiltSegment& one : built) {
    RAGLINE_TRY(auto segment, Segment::open(storage, one.entry));
    added.emplace_back(one.entry, std::move(segment)).is_new = true;
  }
  return added;
}

// Merges what the policy says. The result stands where the first of its inputs stood.
Status merge(const CommitPlan& plan, std::vector<LiveSegment>& segments) {
  std::vector<SegmentSize> sizes;
  std::uint64_t added = 0;
  for (const LiveSegment& segment : segments) {
    sizes.push_back({segment.entry.chunks, segment.entry.deleted_chunks, segment.is_new});
    if (segment.is_new) added += segment.live_chunks();
  }
  const auto groups = plan.merge_all ? plan_merge_all(sizes) : plan_merges(sizes, added);
  std::vector<bool> gone(segments.size());
  for (std::size_t i = 0; i < segments.size(); ++i) gone[i] = segments[i].live_chunks() == 0;
  for (const std::vector<std::size_t>& group : groups) {
    std::vector<std::shared_ptr<const Segment>> inputs;
    for (std::size_t i : group) {
      inputs.push_back(segments[i].deletes_changed
                           ? segments[i].segment->with_deletes(*segments[i].deleted)
                           : segments[i].segment);
      gone[i] = true;
    }
    RAGLINE_TRY(const SegmentEntry entry,
                merge_segments(inputs, *plan.storage, plan.begin_segment()));
    RAGLINE_TRY(auto merged, Segment::open(*plan.storage, entry));
    segments[group.front()] = LiveSegment(entry, std::move(merged));
    gone[group.front()] = false;
  }
  std::size_t i = 0;
  std::erase_if(segments, [&](const LiveSegment&) { return gone[i++]; });
  return {};
}

Status write_side_files(const CommitPlan& plan, std::vector<LiveSegment>& segments) {
  for (LiveSegment& segment : segments) {
    if (!segment.deletes_changed) continue;
    segment.entry.deletes = deletes_file(segment.entry.name, plan.next_number());
    RAGLINE_CHECK(write_deletes(*plan.storage, segment.entry.deletes, *segment.deleted));
    segment.segment = segment.segment->with_deletes(*segment.deleted);
  }
  return {};
}

std::shared_ptr<Snapshot> make_snapshot(const Snapshot& before, Manifest manifest,
                                        std::vector<LiveSegment>&& segments,
                                        std::vector<std::string>&& several) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->where = before.where;
  snapshot->several_versions = std::move(several);
  manifest.segments.clear();
  for (LiveSegment& segment : segments) {
    for (const auto& [language, statistics] : segment.segment->postings().statistics())
      snapshot->statistics[language] += statistics;
    manifest.segments.push_back(std::move(segment.entry));
    snapshot->segments.push_back(std::move(segment.segment));
  }
  snapshot->manifest = std::move(manifest);
  return snapshot;
}

}  // namespace

Result<Commit> prepare_commit(const CommitPlan& plan, const Snapshot& before,
                              const Manifest& settings, std::vector<LiveSegment> old,
                              std::vector<BuiltSegment> built, const Removals& removals) {
  Commit commit;
  Manifest manifest = settings;
  RAGLINE_TRY(std::vector<LiveSegment> added, open_built(*plan.storage, built));
  std::vector<std::vector<BuiltSegment::Run>> runs;
  for (BuiltSegment& one : built) runs.push_back(std::move(one.runs));
  std::vector<std::string> several = before.several_versions;
  const SessionCounts counts = resolve_session(old, added, runs, removals, several);
  commit.report.added = counts.added;
  commit.report.replaced = counts.replaced;

  std::vector<LiveSegment> segments = std::move(old);
  for (LiveSegment& one : added) {
    manifest.tenants |= one.segment->documents().has(Column::kTenantNames);
    manifest.labels |= one.segment->documents().has_flag(kLabelledFlag);
    segments.push_back(std::move(one));
  }
  RAGLINE_CHECK(merge(plan, segments));
  RAGLINE_CHECK(write_side_files(plan, segments));
  if (several != before.several_versions) {
    manifest.versions = several.empty() ? "" : versions_file(plan.next_number());
    if (!several.empty()) RAGLINE_CHECK(write_versions(*plan.storage, manifest.versions, several));
  }

  auto snapshot =
      make_snapshot(before, std::move(manifest), std::move(segments), std::move(several));
  commit.report.segments = static_cast<std::uint32_t>(snapshot->segments.size());
  commit.report.changed = plan.is_new || snapshot->manifest != before.manifest;
  if (commit.report.changed) {
    Manifest& next = snapshot->manifest;
    ++next.generation;
    next.analyzer_version = kAnalyzerVersion;
    next.created_by = "ragline " RAGLINE_VERSION;
    next.next_segment = plan.next_number();
    RAGLINE_CHECK(plan.storage->sync_folder(""));
  }
  commit.snapshot = std::move(snapshot);
  return commit;
}

}  // namespace ragline
