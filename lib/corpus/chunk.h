#pragma once
#include <cstdint>
#include <vector>

#include "corpus/document.h"
#include "corpus/tokens.h"
#include "record/record.h"

// Cutting documents into chunks along their structure.
namespace ragline {

struct ChunkOptions {
  std::uint32_t size = 400;   // tokens (estimate_tokens) a chunk holds at most; one unbreakable
                              // grapheme may exceed it
  std::uint32_t overlap = 0;  // tokens repeated from the chunk before, within a section; counted in
                              // `size`, at most half of it
};

// Chunks in order, ordinals from 0, every field of Chunk filled but `vector`; at least one,
// whatever the text. With overlap 0 they tile the text.
//   A section's blocks are gathered while they fit `size`; a heading starts a chunk (and never ends
//   one, unless nothing follows); a block larger than `size` is cut at the best border inside it
//   (best_cut). Sizes are evened out: 450 tokens become two chunks of about 225, not 400 and 50. A
//   few words that do not fit with the next block take a part of it. A table or CSV cut in pieces
//   carries its header in `context`. Lines count from the start of the document. parent_id is the
//   evidence id of the smallest section that holds the chunk and more; absent when that is the
//   document. Cost: over 1 GB/s; memory for all chunks, which hold copies of their text.
std::vector<Chunk> cut_chunks(const ParsedDocument& parsed, const ChunkOptions& options);

}  // namespace ragline
