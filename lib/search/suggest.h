#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "index/filter.h"
#include "index/snapshot.h"

// (Interface fixed by the lead: tools/rag-search calls it.)
namespace ragline {

// Up to `most` words near a word that has no posting, nearest first, as they are spelled in a text. On a governed index only words
// of chunks that the caller may see (scope.visible).
std::vector<std::string> suggest_spellings(const Snapshot& snapshot, const ScopeBitmaps& scope, std::string_view word, std::size_t most = 3);

}  // namespace ragline
