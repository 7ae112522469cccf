#pragma once
#include <span>

#include "eval/measure.h"

// The functions behind trec_eval's names; trec_table.cc lists them.
namespace ragline {

// The part of trec_measures() that -R prefs, qrels_prefs and qrels_jg ask for.
std::span<const MeasureInfo> judge_measures();

}  // namespace ragline

namespace ragline::trec {

using Values = std::span<double>;
using Arguments = MeasureArguments;

void num_q(const Ranking&, const Arguments&, Values);
void num_ret(const Ranking&, const Arguments&, Values);
void num_rel(const Ranking&, const Arguments&, Values);
void num_rel_ret(const Ranking&, const Arguments&, Values);
void num_nonrel_judged_ret(const Ranking&, const Arguments&, Values);
void map(const Ranking&, const Arguments&, Values);
void gm_map(const Ranking&, const Arguments&, Values);
void r_prec(const Ranking&, const Arguments&, Values);
void r_prec_mult(const Ranking&, const Arguments&, Values);
void bpref(const Ranking&, const Arguments&, Values);
void gm_bpref(const Ranking&, const Arguments&, Values);
void recip_rank(const Ranking&, const Arguments&, Values);
void iprec_at_recall(const Ranking&, const Arguments&, Values);
void eleven_point(const Ranking&, const Arguments&, Values);
void precision(const Ranking&, const Arguments&, Values);
void recall(const Ranking&, const Arguments&, Values);
void relative_precision(const Ranking&, const Arguments&, Values);
void success(const Ranking&, const Arguments&, Values);
void map_cut(const Ranking&, const Arguments&, Values);
void inf_ap(const Ranking&, const Arguments&, Values);
void utility(const Ranking&, const Arguments&, Values);
void bin_g(const Ranking&, const Arguments&, Values);
void yaap(const Ranking&, const Arguments&, Values);
void set_precision(const Ranking&, const Arguments&, Values);
void set_relative_precision(const Ranking&, const Arguments&, Values);
void set_recall(const Ranking&, const Arguments&, Values);
void set_map(const Ranking&, const Arguments&, Values);
void set_f(const Ranking&, const Arguments&, Values);
void unjudged(const Ranking&, const Arguments&, Values);
void rbp_residual(const Ranking&, const Arguments&, Values);

// Of gains: trec_gains.cc.
void g(const Ranking&, const Arguments&, Values);
void dcg(const Ranking&, const Arguments&, Values);
void ideal_dcg(const Ranking&, const Arguments&, Values);
void ndcg(const Ranking&, const Arguments&, Values);
void ndcg_rel(const Ranking&, const Arguments&, Values);
void r_ndcg(const Ranking&, const Arguments&, Values);
void ndcg_cut(const Ranking&, const Arguments&, Values);
void rbp(const Ranking&, const Arguments&, Values);

}  // namespace ragline::trec
