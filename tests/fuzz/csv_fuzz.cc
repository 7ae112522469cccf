// CSV and TSV: rows tile the text whatever its quotes.
#include "corpus/csv.h"
#include "tiling.h"

using ragline::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = ragline::fuzz::text(data, size);
  ragline::fuzz::require_sound("text/csv", input);
  ragline::fuzz::require_sound("text/tab-separated-values", input);
  const char separator = ragline::csv_separator(input);
  bool quotes = true;
  for (std::size_t at = 0; at < input.size();) {
    const std::size_t end = ragline::csv_row_end(input, at, separator, quotes);
    require(end > at && end <= input.size());
    require(end == input.size() || input[end - 1] == '\n');
    require(!ragline::csv_fields(input.substr(at, end - at), separator).empty());
    at = end;
  }
  return 0;
}
