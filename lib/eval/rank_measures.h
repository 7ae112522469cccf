#pragma once
#include <span>

#include "eval/measure.h"

// The functions behind our own measures; measure_table.cc lists them. Those named expected_ give
// the mean over all orders of tied hits (McSherry and Najork, "Computing Information Retrieval
// Performance Measures Efficiently in the Presence of Tied Scores", ECIR 2008).
namespace ragline {

// The part of our_measures() that looks at Ranking::aspects.
std::span<const MeasureInfo> aspect_measures();

}  // namespace ragline

namespace ragline::ours {

using Values = std::span<double>;
using Arguments = MeasureArguments;
using Function = void(const Ranking&, const Arguments&, Values);

Function precision, recall, f1, average_precision, reciprocal_rank, success, judged, unjudged,
    r_precision, bpref, inferred_ap, interpolated_precision_at, ndcg, dcg, err, rbp, accuracy,
    set_precision, set_recall, set_f, set_ap, num_q, num_ret, num_rel, num_rel_ret, compatibility;
Function expected_precision, expected_recall, expected_f1, expected_ap, expected_rr,
    expected_success, expected_judged, expected_unjudged, expected_r_precision, expected_ndcg,
    expected_dcg, expected_rbp;
// Whose chances need more than the mean of each rank: expected_counts.cc.
Function expected_bpref, expected_inferred_ap, expected_err, expected_accuracy;
// ERR's chance that the reader stops at a hit of that grade.
double err_stop(double grade, const Arguments&);

// By a reader's chance to go on: cwl_measures.cc.
Function bpm, sdcg, inst, insq, nerr8, nerr9, nerr10, nerr11, expected_sdcg, expected_insq;

// Of subtopics and evidence: aspect_measures.cc and expected_aspects.cc; of novelty: novelty.h.
Function subtopic_recall, precision_ia, ap_ia, evidence_recall, all_evidence, hop_coverage,
    multihop_hits, multihop_mrr, multihop_map;
Function expected_subtopic_recall, expected_precision_ia, expected_ap_ia, expected_multihop_hits,
    expected_multihop_mrr, expected_multihop_map;

}  // namespace ragline::ours
