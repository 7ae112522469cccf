#pragma once
#include <string>
#include <vector>

#include "cli/flags.h"
#include "eval/evaluate.h"
#include "eval/grouping.h"

// The command line of a ranking's evaluation: its table, and what it means.
namespace ragline {

std::vector<Flag> rank_flags();
std::vector<std::string> rank_description();
std::vector<Example> rank_examples();

// kUsage for flags that do not go together.
Result<EvaluationOptions> evaluation_options(const Flags& flags);
// Those of -m; the defaults of the mode without.
Result<std::vector<Measure>> chosen_measures(const Flags& flags, const EvaluationOptions& options);

// The groups of --by: from --queries, else from the cases that are the judgements.
Result<Grouping> read_grouping(const Flags& flags, const Qrels& qrels, BadRows& bad);

// The table of measures for --list-measures: a line each.
std::string measure_list();

}  // namespace ragline
