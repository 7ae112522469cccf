#pragma once
#include <functional>

#include "core/result.h"
#include "index/filter.h"
#include "index/snapshot.h"
#include "record/record.h"

namespace ragline {

// Visits the documents of which some chunk passes, in the order of (document_id, version) bytes, whatever the segments. Their
// records have no text.
//   Memory  one block of text a segment
//   Errors  kCorrupt, kInterrupted, and those of `visit`, which stop it
Status list_documents(const Snapshot& snapshot, const ScopeBitmaps& scope, const std::function<Status(const Document&)>& visit);

}  // namespace ragline
