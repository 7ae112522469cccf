#pragma once

namespace ragline {

// Whose rules a file is read and measured by. kTrec9 and kTrec10 are trec_eval 9.0 and 10.0, whose
// output is reproduced byte for byte; they differ as follows.
//
//   rule                               9.0                  10.0                 ours
//   a score                            32-bit float         double               double
//   nan, inf or junk in a number       as C's atof          as C's atof          an error
//   lines that begin with '#'          malformed            comments             comments
//   judged, but not in the run         left out             stops, status 4      counts as 0
//   the same with -c                   counts, not printed  counts and printed   -
//   recall point p of R documents      floor(pR + 0.9)      round(pR)            round(pR)
//   rbp, rbp_resid, unj in all_trec    no                   yes                  yes
enum class Dialect { kOurs, kTrec9, kTrec10 };

}  // namespace ragline
