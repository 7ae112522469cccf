#include "corpus/tokens.h"

#include <array>
#include <cstring>

#include "core/utf8.h"
#include "corpus/lines.h"
#include "corpus/scale.h"

// Two counters give the same weight. The careful one goes character by character; its state says
// how much of the current word has been counted, so that the first letter pays for the least weight
// of a word and the next ones are free until that is used up: "ab" is 4, "abcd" 4, "abcde" 5. The
// fast one takes 64 ASCII bytes at a time as arrays of zeros and ones, which compilers turn into
// vectors. A word begins where a letter's left neighbour is none, and has at least n letters where
// the next n-1 are letters too:
//   weight = letters + 4 marks + 3 words - words of 2 or more - words of 3 or more - words of 4 or
//   more
// Test: tokens_test.cc counts words by definition.
namespace ragline {

namespace {

bool in(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

constexpr std::size_t kBlock = 64;

// Adds the weight of `size` ASCII bytes that begin between words. Letters at their end may be half
// a word: `size` is taken back in front of them. False when a byte is not ASCII.
bool weigh_block(const char* bytes, std::size_t& size, std::uint64_t& sum) {
  // One byte before the block and three behind it are no letters.
  std::array<std::uint8_t, 1 + kBlock + 3> letters{};
  std::array<std::uint8_t, kBlock> marks;
  std::array<std::uint8_t, kBlock> block;
  if (size == kBlock) {
    std::memcpy(block.data(), bytes, kBlock);
  } else {
    block.fill(' ');
    std::memcpy(block.data(), bytes, size);
  }
  std::uint8_t high = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const auto c = block[i];
    const auto lower = static_cast<std::uint8_t>((c | 0x20) - 'a'),
               digit = static_cast<std::uint8_t>(c - '0');
    const auto visible = static_cast<std::uint8_t>(c - '!');
    const auto letter = static_cast<std::uint8_t>((lower < 26) | (digit < 10));
    letters[i + 1] = letter;
    marks[i] = static_cast<std::uint8_t>((visible < 94) & (letter ^ 1));
    high |= c;
  }
  if (high >= 0x80) return false;
  while (size > 0 && letters[size]) letters[size--] = 0;
  std::array<std::uint8_t, kBlock> weights;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const std::uint8_t* const letter = &letters[i + 1];
    const auto begins = static_cast<std::uint8_t>(letter[0] & (letters[i] ^ 1));
    const auto of2 = static_cast<std::uint8_t>(begins & letter[1]),
               of3 = static_cast<std::uint8_t>(of2 & letter[2]);
    const auto of4 = static_cast<std::uint8_t>(of3 & letter[3]);
    weights[i] = static_cast<std::uint8_t>(letter[0] + 4 * marks[i] + 3 * begins - of2 - of3 - of4);
  }
  // Eight columns of eight bytes, each at most 4: no byte of the sum overflows.
  std::uint64_t columns = 0;
  for (std::size_t i = 0; i < kBlock; i += 8) {
    std::uint64_t row;
    std::memcpy(&row, &weights[i], 8);
    columns += row;
  }
  constexpr std::uint64_t kEven = 0x00FF00FF00FF00FFu;
  sum += ((columns & kEven) + (columns >> 8 & kEven)) * 0x0001000100010001u >> 48;
  return true;
}

}  // namespace

Script script_of(char32_t c) {
  if (c < 0xC0)
    return c == 0xA0 || c < 0xA0                 ? Script::kSpace
           : c == 0xAA || c == 0xB5 || c == 0xBA ? Script::kLetter
                                                 : Script::kMark;
  if (c == 0xD7 || c == 0xF7) return Script::kMark;
  if (c < 0x2000) return c == 0x1680 ? Script::kSpace : Script::kLetter;
  if (in(c, 0x2000, 0x200A) || in(c, 0x2028, 0x2029) || c == 0x3000 || c == 0xFEFF)
    return Script::kSpace;
  if (in(c, 0x2C00, 0x2DFF) || in(c, 0xA4D0, 0xABFF)) return Script::kLetter;
  if (c < 0x2E80) return Script::kMark;
  if (in(c, 0x3001, 0x3003) || in(c, 0x3008, 0x3020) || in(c, 0xFF01, 0xFF0F) ||
      in(c, 0xFF1A, 0xFF20))
    return Script::kMark;
  if (in(c, 0xFB00, 0xFDFF) || in(c, 0xFE70, 0xFEFE) || in(c, 0xFF21, 0xFF5A))
    return Script::kLetter;
  if (in(c, 0x10000, 0x16FFF) || in(c, 0x1D400, 0x1D7FF) || in(c, 0x1E000, 0x1EFFF))
    return Script::kLetter;
  return Script::kWide;
}

Scale::State Scale::after_letter(State state) {
  switch (state) {
    case kSpace:
    case kMark:
      return kWord1;
    case kWord1:
      return kWord2;
    case kWord2:
      return kWord3;
    case kWord3:
      return kWord4;
    default:
      return kWordMore;
  }
}

void Scale::add(char32_t c) {
  int letters = 1;  // a letter above ASCII is worth two
  if (c < 0x80) {
    if (c <= ' ' || c == 0x7F) {
      state_ = kSpace;
      return;
    }
    if (!is_ascii_letter(static_cast<char>(c)) && !is_ascii_digit(static_cast<char>(c))) {
      state_ = kMark;
      weight_ += 4;
      return;
    }
  } else {
    const Script script = script_of(c);
    if (script != Script::kLetter) {
      state_ = script == Script::kSpace ? kSpace : kMark;
      if (script != Script::kSpace) weight_ += 4;
      return;
    }
    letters = 2;
  }
  for (; letters > 0; --letters) {
    state_ = after_letter(state_);
    if (state_ == kWord1) weight_ += 4;
    if (state_ == kWordMore) weight_ += 1;
  }
}

std::size_t Scale::add_ascii(std::string_view text, std::size_t at, std::uint64_t stop) {
  while (at < text.size() && weight_ < stop) {
    std::size_t size = std::min(kBlock, text.size() - at);
    if (!weigh_block(text.data() + at, size, weight_) || size == 0) break;
    at += size;
  }
  return at;
}

void Scale::add_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (between_words()) at = add_ascii(text, at, ~std::uint64_t{0});
    // Some characters with care, to the end of a word, then another try at whole blocks.
    const std::size_t next = at + 32;
    while (at < text.size() && (at < next || !between_words())) add(next_code_point(text, at));
  }
}

std::uint64_t estimate_tokens(std::string_view text) {
  Scale scale;
  scale.add_text(text);
  return (scale.weight() + 3) / 4;
}

std::uint64_t weight(std::string_view text) {
  Scale scale;
  scale.add_text(text);
  return scale.bounded(text.size());
}

}  // namespace ragline
