#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/document.h"

namespace ragline {

// CSV and TSV as RFC 4180 has it: quoted fields may hold separators, doubled quotes and newlines.
// The canonical text is the file; a block is a row. When the first row looks like a header (two
// fields or more, none of them empty or a number) every other block refers to it.
void parse_csv(ParsedDocument& parsed);

// ',' or the separator that the first line uses most: ';', tab or '|'.
char csv_separator(std::string_view text);

// The end of the row that begins at `begin`, with its newline. A quote that is never closed is an
// ordinary character: `quotes` is then cleared, so that finding this out costs one pass for all
// rows together.
std::size_t csv_row_end(std::string_view text, std::size_t begin, char separator, bool& quotes);

// The fields of one row, unquoted.
std::vector<std::string> csv_fields(std::string_view row, char separator);

}  // namespace ragline
