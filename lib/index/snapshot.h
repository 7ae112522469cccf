#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "index/manifest.h"
#include "index/segment.h"

namespace ragline {

// What one reader sees of an index: a manifest and its segments, unchanged while it lives, whatever
// a writer does. Opening starts again from the manifest when a merge has just removed a segment.
// Threads: const, any number.
struct Snapshot {
  Manifest manifest;
  std::vector<std::shared_ptr<const Segment>> segments;
  Statistics statistics;  // summed over segments
  std::vector<std::string>
      several_versions;  // sorted ids of documents with more than one live version
  std::string where;     // for messages

  std::uint64_t live_documents() const;
  std::uint64_t live_chunks() const;
};
// kNotFound when there is no index, kVersion, kCorrupt.
Result<std::shared_ptr<const Snapshot>> open_snapshot(const Storage& storage);

}  // namespace ragline
