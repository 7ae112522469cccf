#pragma once
#include <functional>
#include <string_view>

#include "core/result.h"
#include "eval/bad_rows.h"
#include "eval/input.h"

namespace ragline {

// Visits the rows of JSON Lines: the lines that are not blank, without what surrounds them. A text
// that is one JSON value over several lines has rows too: a list of objects is, or has, them. An
// error of the visitor's is a bad row, and gets its "file:line: "; it is kJson or kMember unless
// the visitor sets `fault`. A visitor changes nothing before it knows that the row is sound.
Status each_json_row(const InputText& text, BadRows* bad,
                     const std::function<Status(std::string_view row, RowFault& fault)>& visit);

}  // namespace ragline
