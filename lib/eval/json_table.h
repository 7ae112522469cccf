#pragma once
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "eval/bad_rows.h"
#include "eval/input.h"

namespace ragline {

// Whether the text is one JSON object of objects, {"query": {"document": number}}, as ranx writes
// qrels and runs, and not a line of records.
bool is_json_table(std::string_view text);

// Visits its rows in order. Ids with escapes are put into `strings`, which must outlive the views.
// kData "file:line: ..." for text that is not of this form, which ends the visit even where bad
// rows are skipped; so does the visitor's error.
Status read_json_table(const InputText& text, std::deque<std::string>& strings, BadRows* bad,
                       const std::function<Status(std::string_view query, std::string_view document,
                                                  std::string_view number)>& visit);

}  // namespace ragline
