#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Citations as they stand in the text of an answer.
namespace ragline {

struct CitationMark {
  std::size_t begin = 0, end = 0;       // byte range in the answer, brackets included
  std::optional<std::uint64_t> number;  // of [3]; from 1
  std::string_view id;                  // of [a.md#0-120@9f2c51aa03de]; a view into the answer
};

// In order: [1]  [1, 2]  [1][2]  [1-3]  【1】  [^1]  [doc.md#0-120@9f2c51aa03de]  and such ids in
// parentheses or bare. A list gives a mark for each member, all with the range of the brackets; a
// range of more than 100 numbers is no citation. [2] followed by '(' is a Markdown link and none.
std::vector<CitationMark> citation_marks(std::string_view answer);

// The text without its marks and the blanks before them; what a mark parted stays parted.
std::string without_marks(std::string_view text);

}  // namespace ragline
