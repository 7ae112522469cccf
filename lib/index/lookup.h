#pragma once
#include <string_view>
#include <vector>

#include "core/result.h"
#include "index/filter.h"
#include "index/snapshot.h"
#include "record/record.h"

namespace ragline {

// From an id back to its text, under a scope: what the caller may not see answers exactly as what does not exist.
// Threads: const, any number. The snapshot must outlive it.
class Lookup {
 public:
  static Result<Lookup> open(const Snapshot& snapshot, const Scope& scope);

  // An evidence id: one chunk, whose evidence_id is the id. It names bytes, so it is found in any version of its document
  // (unless scope.as_of asks for one moment), and the bytes need not be those of a chunk: any span of the text that the
  // document's chunks cover is cut from them, and carries the fields of the chunk it begins in.
  // A document id: all chunks of the document, of the version that a search would find.
  //   kNotFound  names the id and says whether the document has changed since or there is none, and what to do
  Result<std::vector<Chunk>> find(std::string_view id) const;

 private:
  explicit Lookup(const Snapshot& snapshot) : snapshot_(&snapshot) {}

  const Snapshot* snapshot_;
  ScopeBitmaps current_, any_version_;
};

}  // namespace ragline
