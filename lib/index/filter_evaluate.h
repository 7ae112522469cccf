#pragma once
#include <functional>
#include <string_view>

#include "core/bitmap.h"
#include "index/filter.h"
#include "index/segment.h"

// Filters over one segment: look-ups of filter terms (index/filter_terms.h) and of document
// columns.
namespace ragline {

// The chunks for which the filter holds, deleted ones included.
Bitmap evaluate_filter(const FilterNode& filter, const Segment& segment);

// Adds the chunks that hold the filter term to `set`.
void collect_term(const Segment& segment, std::string_view name, std::string_view value,
                  Bitmap& set);
// Adds the chunks of every filter term (name, 0x1F, value) that begins with `prefix` and whose rest
// `wants` accepts.
void collect_terms(const Segment& segment, std::string_view prefix,
                   const std::function<bool(std::string_view rest)>& wants, Bitmap& set);

}  // namespace ragline
