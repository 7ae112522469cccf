#pragma once
#include <string>

#include "record/record.h"

namespace ragline {

// The text of a record that is embedded, the same wherever vectors are made: its title, unless the
// text shows it, the context (a table's header) and the text, a line each.
std::string passage_text(const Chunk& chunk);
std::string passage_text(const Document& document);

}  // namespace ragline
