#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// What one line of Markdown can be, as CommonMark 0.31 and GFM define it. All functions take a line
// without its newline and cost one pass over it at most.
namespace ragline {

// Columns of white space before the first other character (tabs stop every four), and the byte
// where that stands.
struct Indent {
  std::size_t columns = 0, bytes = 0;
};
Indent indent_of(std::string_view line);

// The functions below take the line from its first character that is no white space on, and assume
// an indent below four.

// "## Title ##" -> 2. The title is what heading_title makes of it.
std::optional<int> atx_level(std::string_view line);
std::string_view atx_text(std::string_view line);
// A heading's text without markup: `code`, *emphasis*, [links](...), {#anchors}.
std::string heading_title(std::string_view text);

// An opening fence: its character and length. A backtick fence's info string holds no backtick.
struct Fence {
  char mark = 0;
  std::size_t length = 0;
};
std::optional<Fence> opening_fence(std::string_view line);
bool closes_fence(std::string_view line, Fence fence);

bool is_thematic_break(std::string_view line);
// 1 for "===", 2 for "---", 0 for anything else.
int setext_level(std::string_view line);

// A list item's marker, "-" or "12.": its width with the white space after it (1 to 4 columns).
struct Marker {
  std::size_t width = 0;
  bool interrupts = false;  // may end a paragraph: not empty, and numbered 1 if at all
};
std::optional<Marker> list_marker(std::string_view line);

// "|---|:--:|" with its number of cells; 0 when the line is no such row.
std::size_t delimiter_cells(std::string_view line);
// Cells of a table row; an escaped \| separates nothing.
std::size_t row_cells(std::string_view line);

// How an HTML block that starts with this line ends.
struct HtmlBlock {
  std::string_view until;   // the block ends with the line that holds this; empty: at a blank line
  bool interrupts = false;  // may end a paragraph
};
std::optional<HtmlBlock> html_block(std::string_view line);

}  // namespace ragline
