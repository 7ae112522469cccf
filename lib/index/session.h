#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "index/builders.h"
#include "index/live_segment.h"

// What one writer session does to the documents that were there, decided at commit. While documents
// are added nothing is looked up: the threads need no common table, and a first build pays for one
// sort of hashes.
namespace ragline {

// (id, version or nullopt for every version) -> the sequence number at which it was asked: what was
// handed in before goes.
using Removals = std::map<std::pair<std::string, std::optional<std::string>>, std::uint64_t>;

struct SessionCounts {
  std::uint64_t added = 0;     // live new documents that took nobody's place
  std::uint64_t replaced = 0;  // old documents whose id and version were added again
};

// Marks in `old` what `added` replaces, and in `added` what was handed in again or removed later.
// runs[i] belongs to added[i]; both are in the order in which their segments were begun. `several`
// is the list of ids with more than one live version before, and after.
//   Cost  a sort of the new documents, and for each old segment either a look-up for every new
//   document or one pass
//         over its ids, whichever is less
SessionCounts resolve_session(std::span<LiveSegment> old, std::span<LiveSegment> added,
                              std::span<const std::vector<BuiltSegment::Run>> runs,
                              const Removals& removals, std::vector<std::string>& several);

}  // namespace ragline
