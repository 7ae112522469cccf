#pragma once
#include <cstdint>
#include <span>

#include "lexical/postings.h"

namespace ragline {

// The frontier of a block's (tf, length) pairs, cut down to kFrontier pairs by joining neighbours into one that bounds
// both, the join that loosens the bound least first. Unused places repeat the last pair.
void make_frontier(std::span<const std::uint32_t> tfs, std::span<const std::uint32_t> lengths, ImpactPair (&out)[kFrontier]);

}  // namespace ragline
