#pragma once
#include <span>
#include <string_view>

#include "core/bitmap.h"
#include "core/result.h"
#include "core/storage.h"
#include "lexical/postings.h"

namespace ragline {

struct MergeInput {
  const SegmentPostings* postings;
  const Bitmap* deleted;  // chunks to leave out; null for none
};

// Writes the inverted index of the inputs' live chunks, in input order, into `folder`: the same files, with the same content, as a PostingsBuilder
// that had been given those chunks. Statistics lose what was deleted. Memory: one posting list at a time.
Status merge_postings(std::span<const MergeInput> inputs, Storage& storage, std::string_view folder);

}  // namespace ragline
