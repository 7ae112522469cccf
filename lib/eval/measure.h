#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "eval/dialect.h"
#include "eval/ranking.h"

// Measures: one table says what each is called, how it is computed, after whom, between which
// bounds, and which way is better. Help, manual and --list-measures are made from it.
//
// Two families, with two ways to write them.
//   Ours, as ir_measures writes them:   nDCG@10   P(rel=2)@5   nDCG(dcg=exp-log2)@20   SetF(beta=2)
//   trec_eval's:                        map   P.5,10   ndcg.1=3.5,2=9   all_trec
// A trec_eval measure may give several values: P.5,10 is P_5 and P_10.
namespace ragline {

enum class Direction { kHigher, kLower, kNone };
enum class Mean { kArithmetic, kSum, kGeometric, kLast };  // over queries; kLast: no number at all
enum class Print { kReal, kCount, kText, kNever };         // of one query

// What stood in parentheses, behind the @, or behind the dot.
struct MeasureArguments {
  std::size_t cutoff = SIZE_MAX;
  std::optional<double> level;  // rel=
  double p = 0, alpha = 0, beta = 0, max = 0;
  double target = 1, min_rel = 0, max_rel = 0;  // T=, min_rel=, max_rel=
  bool normalize = true;
  bool exponential = false;  // dcg=exp-log2
  bool judged_only = false;
  std::vector<double> numbers;                   // trec_eval: cut-offs or coefficients, in order
  std::vector<std::pair<double, double>> gains;  // grade -> gain
  Dialect dialect = Dialect::kOurs;
};

// Writes the values of one query. Requires values.size() == the number of names.
using MeasureFunction = void (*)(const Ranking&, const MeasureArguments&, std::span<double> values);

// What may follow the dot in a trec_eval name.
enum class TrecForm {
  kPlain,         // nothing
  kCutoffs,       // ranks: a value for each, named P_10
  kShares,        // numbers: a value for each, named iprec_at_recall_0.10
  kCoefficients,  // numbers: one value
  kGains          // grade=gain, and p= where the measure has a p: one value
};

struct MeasureInfo {
  std::string_view name;
  std::string_view form;     // how it is written, with its parameters and their defaults
  std::string_view formula;  // one line
  std::string_view source;   // whose definition it is
  std::string_view range;
  Direction direction = Direction::kHigher;
  MeasureFunction value = nullptr;
  MeasureFunction expected = nullptr;  // over all orders of tied hits; null: not defined
  Mean mean = Mean::kArithmetic;
  Print print = Print::kReal;
  bool aspects = false;              // looks at Ranking::aspects
  bool needs_cutoff = false;         // is not written without @k
  std::string_view parameters = "";  // ours: what may stand in the parentheses, by blanks
  double p = 0.8, beta = 1;          // where they are not given
  TrecForm trec_form = TrecForm::kPlain;
  std::span<const double> numbers = {};  // trec_eval: what counts when nothing follows the dot
};

struct Measure {
  const MeasureInfo* info = nullptr;
  MeasureArguments arguments;
  std::vector<std::string> names;  // of its values: {"nDCG@10"} or {"P_5", "P_10"}
};

// The tables, in the order of the manual: ours, and trec_eval's in its own order.
std::span<const MeasureInfo> our_measures();
std::span<const MeasureInfo> trec_measures();

// Measures written as above, separated by commas that stand in no parentheses; each word of `texts`
// may hold several. kUsage with the measure, what is wrong, and what is near it.
Result<std::vector<Measure>> parse_measures(std::span<const std::string> texts);
// trec_eval's -m arguments, nicknames too (official, all_trec, set, prefs, ...). Ordered as
// trec_eval prints them; none is `official`.
Result<std::vector<Measure>> parse_trec_measures(std::span<const std::string> texts,
                                                 Dialect dialect);
// The same for one text, without the nicknames' expansion order: what our own dialect takes for a
// trec_eval name.
bool is_trec_measure(std::string_view text);

// What rag-eval prints when no measure is named.
std::span<const std::string> default_measures();

}  // namespace ragline
