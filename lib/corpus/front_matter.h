#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "record/record.h"

namespace ragline {

// The YAML between two "---" lines at the very start of a Markdown file.
struct FrontMatter {
  std::size_t size = 0;  // bytes up to and with the closing line
  RawJson
      metadata;  // an object of everything that has no field of its own; empty when nothing is left
  std::string title, language;
  Governance governance;  // only when labels are trusted; otherwise they are ordinary metadata
};

// A subset of YAML: `key: value`, flow lists [a, b], block lists (- a), one level of nested `key:
// value`, block scalars
// (| and >), quoted strings, numbers, true, false, null, comments. Other nesting is kept as its
// text. nullopt when there is none or it is malformed (an unclosed quote, a line that is no `key:`,
// over 16 kB): the text is then ordinary text. With trust_labels, `acl` that is neither a list nor
// a string is an empty list: visible to nobody.
std::optional<FrontMatter> parse_front_matter(std::string_view text, bool trust_labels);

}  // namespace ragline
