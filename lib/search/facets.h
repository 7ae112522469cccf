#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bitmap.h"
#include "index/snapshot.h"

namespace ragline {

// How many documents among the matching chunks have each value of a field: most first, then by value.
//   field     as in filters: language, media_type, block_type, tenant, version, or a metadata path
//   matching  chunks by segment, as Searcher::matching() gives them
//   Cost      one pass over the field's posting lists
std::vector<std::pair<std::string, std::uint64_t>> count_facets(const Snapshot& snapshot, const std::vector<Bitmap>& matching,
                                                                std::string_view field, std::size_t most = 20);

}  // namespace ragline
