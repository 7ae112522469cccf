#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

// How much text a chunk holds, and where it may be cut.
namespace ragline {

// Weights are in quarters of a token, so that they add up without rounding.
//   A word's ASCII letters and digits weigh 1 each, its other letters 2, a word at least 4; other
//   marks and CJK characters weigh 4 each; white space nothing. estimate_tokens() is this, rounded
//   up to tokens. weight() is the same but never less than an eighth of the bytes: otherwise a
//   megabyte of spaces would fit a chunk.
// Weights of pieces that meet at white space or a mark add up to that of the whole, or more.
// Cost: one pass, about 1 GB/s of ASCII.
std::uint64_t estimate_tokens(std::string_view text);
std::uint64_t weight(std::string_view text);

// Whether sentences matter inside what is cut.
enum class CutStyle { kProse, kLines };

// The best place to cut `text` in two: the first piece weighs at most `limit`, and not much less
// than `target`, which a border near it serves best. Where a line begins between half the target
// and the limit, a line it is: after a blank line, else (in prose) after a sentence or before a
// list item, else any. Otherwise, best first: sentence, word, mark, grapheme.
//   A cut never splits a code point, a CRLF, or a base and its combining marks, joiners and
//   variation selectors (of the common scripts); a grapheme of more than 256 bytes is cut all the
//   same. Returns text.size() when all of it fits; never 0: when not even one grapheme fits, it is
//   the end of that one. Cost: about 1 GB/s by lines, 50 MB/s by characters, over no more than 8 *
//   limit bytes.
std::size_t best_cut(std::string_view text, std::uint64_t target, std::uint64_t limit,
                     CutStyle style);

// The begin of the longest tail of `text` that weighs at most `limit` and begins a line, else a
// word; text.size() when there is none.
std::size_t tail_begin(std::string_view text, std::uint64_t limit);

}  // namespace ragline
