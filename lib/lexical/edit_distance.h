#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ragline {

// How many insertions, deletions, substitutions or swaps of neighbouring characters make one word
// of another; no character is changed twice ("optimal string alignment", the restricted
// Damerau-Levenshtein distance). Counted in code points.
//
// The other word is given character by character and may be taken back, so that a sorted dictionary
// costs only what changes from one word to the next, and a beginning that nothing good can follow
// is known as such:
//
//   EditDistance from("order", 2);
//   while (from.depth() < ... && from.push(c)) ...     // false: every word that begins so is
//   further than 2 from.pop_to(3);                                    // the next word shares 3
//   characters
//
//   Cost   push: one row of the usual table, O(word); memory O(word * (word + most))
class EditDistance {
 public:
  EditDistance(std::string_view word, std::uint32_t most);
  std::size_t depth() const { return text_.size(); }
  bool push(char32_t c);
  void pop_to(std::size_t depth);
  // Between the word and what was pushed; above `most` only as a lower bound.
  std::uint32_t value() const;

 private:
  const std::uint32_t* row(std::size_t depth) const {
    return rows_.data() + depth * (word_.size() + 1);
  }
  std::u32string word_, text_;
  std::uint32_t most_;
  std::vector<std::uint32_t>
      rows_;  // row d: distances of the first d characters pushed from each beginning of the word
};

// The distance of two words, or most + 1 when it is more.
std::uint32_t edit_distance(std::string_view left, std::string_view right, std::uint32_t most);

}  // namespace ragline
