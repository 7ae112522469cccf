#pragma once
#include <cstdint>
#include <vector>

#include "lexical/postings.h"
#include "search/plan.h"

namespace ragline {

// Chunks where every slot has a term at its place, with how often: tf is the number of matches.
//   A match gives each slot a position; moved back by the slots' offsets, the positions lie within `slop` of each other
//   (0: exactly in place), which is Lucene's measure of a sloppy phrase. A word that the phrase repeats has a position
//   for each of its slots. Matches do not share their leftmost position.
//   Cost  the postings of the rarest slot, and the blocks of the others that hold its chunks
PostingList match_phrase(const SegmentPostings& segment, const std::vector<Leaf::Slot>& slots, std::uint32_t slop);

}  // namespace ragline
