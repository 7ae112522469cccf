#include "index/snapshot.h"

#include <algorithm>

#include "core/text.h"
#include "index/versions.h"

namespace ragline {

namespace {

// A writer must commit this many times, each time within one opening, before a reader gives up.
constexpr int kTries = 100;

Result<std::shared_ptr<const Snapshot>> open_as_listed(const Storage& storage, Manifest manifest) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->where = storage.describe();
  for (const SegmentEntry& entry : manifest.segments) {
    RAGLINE_TRY(auto segment, Segment::open(storage, entry));
    for (const auto& [language, statistics] : segment->postings().statistics())
      snapshot->statistics[language] += statistics;
    snapshot->segments.push_back(std::move(segment));
  }
  if (!manifest.versions.empty()) {
    RAGLINE_TRY(snapshot->several_versions, read_versions(storage, manifest.versions));
  }
  snapshot->manifest = std::move(manifest);
  return snapshot;
}

}  // namespace

std::uint64_t Snapshot::live_documents() const {
  std::uint64_t count = 0;
  for (const SegmentEntry& entry : manifest.segments)
    count += entry.documents - entry.deleted_documents;
  return count;
}

std::uint64_t Snapshot::live_chunks() const {
  std::uint64_t count = 0;
  for (const SegmentEntry& entry : manifest.segments) count += entry.chunks - entry.deleted_chunks;
  return count;
}

Result<std::shared_ptr<const Snapshot>> open_snapshot(const Storage& storage) {
  RAGLINE_TRY(Manifest manifest, read_manifest(storage));
  for (int attempt = 1;; ++attempt) {
    const std::uint64_t generation = manifest.generation;
    auto snapshot = open_as_listed(storage, std::move(manifest));
    if (snapshot || snapshot.error().kind != ErrorKind::kNotFound) return snapshot;
    // A file is gone: a commit has removed it since, unless it is missing for good.
    RAGLINE_TRY(manifest, read_manifest(storage));
    if (manifest.generation == generation || attempt == kTries)
      return fail(ErrorKind::kCorrupt,
                  cat(storage.describe(),
                      ": a file that MANIFEST names is missing: ", snapshot.error().message,
                      ": build the index anew, or restore it from a copy"));
  }
}

}  // namespace ragline
