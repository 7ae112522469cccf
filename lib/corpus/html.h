#pragma once
#include <cstddef>

#include "corpus/document.h"

namespace ragline {

// HTML larger than this is not parsed: the tree costs ten to twenty times its size.
inline constexpr std::size_t kMaxHtml = std::size_t{32} << 20;

// The text of parsed.document.text, which is HTML, takes its place, and extractor becomes "html":
//   paragraphs, lists ("- item", "2. item", nested by two spaces), tables (a line a row, cells
//   between " | "), <pre> as it stands, quotes; headings become sections; <title> and the lang
//   attribute are taken. Left out: scripts, styles, navigation, and what is hidden (hidden,
//   aria-hidden, display:none). Tables that hold headings or tables are layout, not data. Entities
//   are decoded, white space is collapsed. Errors   none: HTML is always a tree. Text over kMaxHtml
//   is left as plain text.
void parse_html(ParsedDocument& parsed);

// The same markup with less to do for a tree builder, whose worst cases are quadratic: comments,
// scripts, styles and phrasing tags (<b>, <a>, <span> ...) are gone, unless hidden; tags nested
// deeper than 200 and attributes after the fiftieth of a tag too. The text stays.
std::string bounded_html(std::string_view html);

}  // namespace ragline
