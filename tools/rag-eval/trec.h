#pragma once
#include <string>

#include "eval/evaluate.h"

namespace ragline {

// trec_eval's layout: name, query id or `all`, value, between tabs; per query first, then the
// means.
struct TrecLayout {
  bool per_query = false, summary = true;
  int digits = 4;
};
std::string trec_text(const Evaluation& evaluation, const TrecLayout& layout);

// printf's %.*f: for NaN and infinities too.
std::string fixed_text(double value, int digits);

}  // namespace ragline
