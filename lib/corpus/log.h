#pragma once
#include <string_view>

#include "corpus/document.h"

namespace ragline {

// Logs: a block is an entry with the lines that go on with it.
//   Where most lines begin with a time, each such line begins an entry, and the others (stack
//   traces, wrapped messages) belong to the one above. Else every line that is not indented begins
//   one, but for what follows an exception
//   ("Caused by:", "Traceback", closing brackets).
void parse_log(ParsedDocument& parsed);

// Rows without a record's fields (JSON Lines of another kind): a block is a line.
void parse_json_lines(ParsedDocument& parsed);

// "2026-03-01 12:00:00,123", "Mar  1 12:00:00", "[01/Mar/2026:12:00:00", "081109 203615",
// "1117838570": a date or time of day within the first 40 bytes.
bool begins_with_time(std::string_view line);

// At least five lines, nearly all of which begin with a time.
bool looks_like_log(std::string_view head);

}  // namespace ragline
