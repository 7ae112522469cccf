#pragma once
#include <string>
#include <vector>

#include "core/result.h"
#include "record/record.h"
#include "search/hybrid.h"
#include "search/searcher.h"

namespace ragline {

// The record of a hit: its chunk from the segment, its score under the arm "bm25"; or, with `detail`, what each arm and signal gave.
// Decompresses one block of text.
Result<Hit> make_hit(const Snapshot& snapshot, const ChunkHit& hit, std::uint64_t rank, std::string_view query_id,
                     const HybridDetail* detail = nullptr);

// For --explain: a list of what each term added,
//   [{"term":"refund","field":"content","language":"en","tf":2,"length":130,"average_length":122.4,"doc_freq":17,"idf":5.1,"boost":1,"score":3.2}]
RawJson explain_json(const std::vector<Contribution>& contributions);

// "content", "title", "section", "path".
const char* field_name(Field field);

}  // namespace ragline
