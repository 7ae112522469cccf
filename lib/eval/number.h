#pragma once
#include <optional>
#include <string_view>

#include "eval/dialect.h"

namespace ragline {

// A field as a number. Ours: a finite decimal number over the whole field, else nullopt. In
// trec_eval's dialects what C's atof makes of it, which takes anything; 9.0 rounds scores to float.
std::optional<double> read_score(std::string_view field, Dialect dialect);
// The same for grades, where trec_eval uses atol.
std::optional<double> read_grade(std::string_view field, Dialect dialect);

}  // namespace ragline
