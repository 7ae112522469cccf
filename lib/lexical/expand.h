#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lexical/postings.h"

// (Interface fixed by the lead: search/lists.cc calls it.) Terms of a segment's dictionary that a prefix or a misspelt word may stand for.
namespace ragline {

struct ExpandedTerms {
  std::vector<std::string> terms;  // without field and language
  bool cut = false;                // there were more than `limit`
};

// Terms that begin with `prefix`, in byte order; exact-form terms ("=...") are left out.
ExpandedTerms expand_prefix(const SegmentPostings& segment, Field field, Language language, std::string_view prefix, std::size_t limit);

// Terms within `edits` (1 or 2) insertions, deletions, substitutions or swaps of neighbours of `term`, by distance, then document
// frequency, then bytes.
ExpandedTerms expand_fuzzy(const SegmentPostings& segment, Field field, Language language, std::string_view term, std::uint32_t edits,
                           std::size_t limit);

}  // namespace ragline
