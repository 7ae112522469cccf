#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "corpus/document.h"

namespace ragline {

// What becomes one chunk: a span and the blocks that it touches.
struct Piece {
  ByteSpan bytes;
  std::size_t first_block = 0, last_block = 0;
};

// True for blocks that belong to what follows them: headings and front matter.
bool leads(const Block& block);

// Spans of at most `limit` (a weight, see tokens.h) that tile parsed.blocks, by the rules of
// cut_chunks.
std::vector<Piece> gather_pieces(const ParsedDocument& parsed, std::uint64_t limit);

}  // namespace ragline
