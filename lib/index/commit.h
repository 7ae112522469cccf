#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/storage.h"
#include "index/builders.h"
#include "index/live_segment.h"
#include "index/session.h"
#include "index/snapshot.h"
#include "index/writer.h"

// Everything of a commit but its last step: what a session built and deleted becomes files that no
// manifest names yet, and the manifest that names them. Writing that manifest is the commit point.
namespace ragline {

struct CommitPlan {
  Storage* storage = nullptr;
  std::function<std::uint64_t()> next_number;  // for side files
  std::function<std::string()> begin_segment;  // a new segment's name
  bool merge_all = false;
  bool is_new = false;  // there is no manifest yet
};

struct Commit {
  std::shared_ptr<const Snapshot>
      snapshot;  // what readers will see; `before` when report.changed is false
  CommitReport report;
};

// `settings` is the manifest of the next commit; its segments are not looked at: they are `old`,
// with the deletes marked so far. On return every file that the new manifest names is written and
// synced, and its name too.
Result<Commit> prepare_commit(const CommitPlan& plan, const Snapshot& before,
                              const Manifest& settings, std::vector<LiveSegment> old,
                              std::vector<BuiltSegment> built, const Removals& removals);

}  // namespace ragline
