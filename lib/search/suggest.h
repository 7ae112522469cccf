#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "index/filter.h"
#include "index/snapshot.h"

namespace ragline {

// Up to `most` words near a word that has no posting: one edit away (insertion, deletion,
// substitution, swap) or, where that finds nothing and the word has more than 5 characters, two;
// nearest first, then those with the same first letter, then those in more chunks; as they are
// spelled in a text, of several spellings of one stem the nearest. The index holds stems: a mistake may hide the ending from the stemmer
// ("shippng" is not "ship"), so where one edit finds nothing, stems near the beginning of the word
// count as well, if a text has a near word for them.
//   Scope  only words of chunks that pass `scope`: nothing shows what the caller may not see, and
//          what is suggested is found
//   None   for words of fewer than 3 characters or with a digit
//   Cost   a few ms on a million terms, and the text of some chunks for the spelling
std::vector<std::string> suggest_spellings(const Snapshot& snapshot, const ScopeBitmaps& scope,
                                           std::string_view word, std::size_t most = 3);

}  // namespace ragline
