#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lexical/postings.h"

// Terms of a segment's dictionary that a prefix or a misspelt word may stand for: those of one
// field and language. Exact-form terms ("=größe") are left out: their plain form is a term as well.
namespace ragline {

struct ExpandedTerms {
  std::vector<std::string> terms;  // without field and language
  bool cut = false;                // there were more than `limit`
};

// How many chunks with a term count, its document frequency when empty. A term with none is no term:
// so what a caller may not see takes no place below a limit from what it may.
using CountChunks = std::function<std::uint32_t(const TermInfo&)>;

// Terms that begin with `prefix`, in byte order.
ExpandedTerms expand_prefix(const SegmentPostings& segment, Field field, Language language,
                            std::string_view prefix, std::size_t limit,
                            const CountChunks& count = {});

// Terms within `edits` (1 or 2) insertions, deletions, substitutions or swaps of neighbours of
// `term`, by distance, then chunks, then bytes; `term` itself among them, if it is one.
//   Cost  on a million terms about .5 ms for one edit and 4 ms for two:
//         beginnings that lead nowhere are skipped
//         (tests/bench/expand_bench.cc)
ExpandedTerms expand_fuzzy(const SegmentPostings& segment, Field field, Language language,
                           std::string_view term, std::uint32_t edits, std::size_t limit,
                           const CountChunks& count = {});

}  // namespace ragline
