#pragma once
#include <span>

#include "eval/measure.h"

// The functions behind our own measures; measure_table.cc lists them. Those named expected_ give
// the mean over all orders of tied hits (McSherry and Najork, "Computing Information Retrieval
// Performance Measures Efficiently in the Presence of Tied Scores", ECIR 2008).
namespace ragline::ours {

using Values = std::span<double>;
using Arguments = MeasureArguments;
using Function = void(const Ranking&, const Arguments&, Values);

Function precision, recall, f1, average_precision, reciprocal_rank, success, judged, unjudged,
    r_precision, bpref, inferred_ap, interpolated_precision_at, ndcg, dcg, err, rbp, accuracy,
    set_precision, set_recall, set_f, set_ap, num_q, num_ret, num_rel, num_rel_ret;
Function expected_precision, expected_recall, expected_ap, expected_rr, expected_success,
    expected_judged, expected_unjudged, expected_r_precision, expected_ndcg, expected_dcg,
    expected_rbp;

// Of subtopics and evidence: aspect_measures.cc.
Function alpha_ndcg, subtopic_recall, precision_ia, evidence_recall, all_evidence, hop_coverage,
    multihop_hits, multihop_mrr, multihop_map;

}  // namespace ragline::ours
