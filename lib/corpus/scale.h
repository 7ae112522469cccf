#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Weighing character by character, for those who need the weight up to each of them; tokens.h has
// the whole.
namespace ragline {

// What a code point above ASCII counts as; coarse on purpose.
enum class Script { kSpace, kMark, kLetter, kWide };
Script script_of(char32_t code_point);

class Scale {
 public:
  std::uint64_t weight() const { return weight_; }
  // Of what counts against a limit when `bytes` have been added.
  std::uint64_t bounded(std::size_t bytes) const {
    return std::max<std::uint64_t>(weight_, (bytes + 7) / 8);
  }
  // Whether what comes begins no sooner than a new word: there weights of pieces add up.
  bool between_words() const { return state_ <= kMark; }

  void add(char32_t code_point);
  // Adds text[at ...], ASCII only, in blocks while the weight is below `stop`, which the last block
  // may exceed by 256. Returns where it stopped: in front of a word. Requires between_words(),
  // which holds after it too.
  std::size_t add_ascii(std::string_view text, std::size_t at, std::uint64_t stop);
  // Adds all of `text`.
  void add_text(std::string_view text);

 private:
  // kWord1 to kWord4: the letters of the word weigh that much so far; kWordMore: above 4, and the
  // last letter added 1.
  enum State : std::uint8_t { kSpace, kMark, kWord1, kWord2, kWord3, kWord4, kWordMore };
  static State after_letter(State state);

  State state_ = kSpace;
  std::uint64_t weight_ = 0;
};

}  // namespace ragline
