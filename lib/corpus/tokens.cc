#include "corpus/tokens.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/utf8.h"
#include "corpus/lines.h"

// Two counters give the same weight. The careful one goes character by character with a small automaton, whose state says
// how much of the current word has been counted, so that the first letter pays for the least weight of a word and the
// next ones are free until that is used up: "ab" is 4, "abcd" 4, "abcde" 5. The fast one takes 64 ASCII bytes at a time as
// bit sets of letters and marks; a word's first letter is a bit whose left neighbour is clear, and words of at least n
// letters are those whose next n-1 neighbours are set:
//   weight = |letters| + 4 |marks| + 3 |words| - |words of 2 or more| - |of 3 or more| - |of 4 or more|
// Test: tokens_test.cc counts words by definition.
namespace ragline {

namespace {

// kWord1 to kWord4: the letters of the word weigh that much so far; kWordMore: above 4, and the last letter added 1.
enum State : std::uint8_t { kSpace, kMark, kWord1, kWord2, kWord3, kWord4, kWordMore, kStates };
enum Class : std::uint8_t { kIsSpace, kIsMark, kIsLetter, kIsOther };

constexpr std::uint8_t kAdds[kStates] = {0, 4, 4, 0, 0, 0, 1};

constexpr Class class_of(unsigned byte) {
  if (byte >= 0x80) return kIsOther;
  if (byte <= ' ' || byte == 0x7F) return kIsSpace;
  const unsigned lower = byte | 0x20;
  return (lower >= 'a' && lower <= 'z') || (byte >= '0' && byte <= '9') ? kIsLetter : kIsMark;
}

constexpr std::array<Class, 256> kClasses = [] {
  std::array<Class, 256> classes{};
  for (unsigned byte = 0; byte < 256; ++byte) classes[byte] = class_of(byte);
  return classes;
}();

constexpr State after_letter(State state) {
  switch (state) {
    case kSpace: case kMark: return kWord1;
    case kWord1: return kWord2;
    case kWord2: return kWord3;
    case kWord3: return kWord4;
    default: return kWordMore;
  }
}

constexpr std::array<std::array<State, 256>, kStates> kNext = [] {
  std::array<std::array<State, 256>, kStates> next{};
  for (unsigned state = 0; state < kStates; ++state)
    for (unsigned byte = 0; byte < 256; ++byte) {
      const Class c = class_of(byte);
      next[state][byte] = c == kIsLetter ? after_letter(static_cast<State>(state)) : c == kIsMark ? kMark : kSpace;
    }
  return next;
}();

enum class Script { kSpace, kMark, kLetter, kWide };

bool in(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

// Of a code point above ASCII; coarse on purpose.
Script script_of(char32_t c) {
  if (c < 0xC0) return c == 0xA0 || c < 0xA0 ? Script::kSpace : c == 0xAA || c == 0xB5 || c == 0xBA ? Script::kLetter : Script::kMark;
  if (c == 0xD7 || c == 0xF7) return Script::kMark;
  if (c < 0x2000) return c == 0x1680 ? Script::kSpace : Script::kLetter;
  if (in(c, 0x2000, 0x200A) || in(c, 0x2028, 0x2029) || c == 0x3000 || c == 0xFEFF) return Script::kSpace;
  if (in(c, 0x2C00, 0x2DFF) || in(c, 0xA4D0, 0xABFF)) return Script::kLetter;
  if (c < 0x2E80) return Script::kMark;
  if (in(c, 0x3001, 0x3003) || in(c, 0x3008, 0x3020) || in(c, 0xFF01, 0xFF0F) || in(c, 0xFF1A, 0xFF20)) return Script::kMark;
  if (in(c, 0xFB00, 0xFDFF) || in(c, 0xFE70, 0xFEFE) || in(c, 0xFF21, 0xFF5A)) return Script::kLetter;
  if (in(c, 0x10000, 0x16FFF) || in(c, 0x1D400, 0x1D7FF) || in(c, 0x1E000, 0x1EFFF)) return Script::kLetter;
  return Script::kWide;
}

// What never begins a grapheme: combining marks of the common scripts, joiners, variation selectors, skin tones, tags.
bool is_extender(char32_t c) {
  if (c < 0x300) return false;
  static constexpr std::pair<char32_t, char32_t> kRanges[] = {
      {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x5BF, 0x5C7},   {0x610, 0x61A},   {0x64B, 0x65F},
      {0x670, 0x670},   {0x6D6, 0x6DC},   {0x6DF, 0x6E8},   {0x6EA, 0x6ED},   {0x730, 0x74A},   {0x900, 0x903},
      {0x93A, 0x93C},   {0x93E, 0x94F},   {0x951, 0x957},   {0x962, 0x963},   {0x981, 0x983},   {0x9BC, 0x9BC},
      {0x9BE, 0x9CD},   {0xA01, 0xA03},   {0xA3C, 0xA51},   {0xA81, 0xA83},   {0xABC, 0xABC},   {0xABE, 0xACD},
      {0xB01, 0xB03},   {0xB3C, 0xB3C},   {0xB3E, 0xB57},   {0xBBE, 0xBCD},   {0xC00, 0xC04},   {0xC3E, 0xC56},
      {0xC81, 0xC83},   {0xCBC, 0xCBC},   {0xCBE, 0xCD6},   {0xD00, 0xD03},   {0xD3B, 0xD4D},   {0xDCA, 0xDDF},
      {0xE31, 0xE31},   {0xE34, 0xE3A},   {0xE47, 0xE4E},   {0xEB1, 0xEB1},   {0xEB4, 0xEBC},   {0xEC8, 0xECD},
      {0x102B, 0x103E}, {0x1160, 0x11FF}, {0x135D, 0x135F}, {0x17B4, 0x17D3}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
      {0x200C, 0x200D}, {0x20D0, 0x20FF}, {0x302A, 0x302F}, {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
      {0xFF9E, 0xFF9F}, {0x1F3FB, 0x1F3FF}, {0xE0020, 0xE007F}, {0xE0100, 0xE01EF}};
  const auto* range = std::ranges::upper_bound(kRanges, c, {}, [](const auto& r) { return r.first; });
  return range != std::begin(kRanges) && c <= (range - 1)->second;
}

bool is_regional_indicator(char32_t c) { return in(c, 0x1F1E6, 0x1F1FF); }

// 64 ASCII bytes as sets of bits, the first byte in the lowest.
struct ByteSets {
  std::uint64_t letters = 0, marks = 0;
};

// The high bit of each byte that lies in [first, last]; all bytes must be below 0x80.
constexpr std::uint64_t in_range(std::uint64_t bytes, unsigned first, unsigned last) {
  constexpr std::uint64_t kOnes = 0x0101010101010101u;
  return (bytes + kOnes * (0x80 - first)) & ~(bytes + kOnes * (0x7F - last)) & 0x8080808080808080u;
}
// High bits of eight bytes to eight bits.
constexpr std::uint64_t gather_bits(std::uint64_t high_bits) { return (high_bits >> 7) * 0x0102040810204080u >> 56; }

constexpr std::uint64_t kBlockWeight = 4 * 64;  // of one block, at most

// False when one of the 64 bytes is not ASCII.
bool read_sets(const char* bytes, ByteSets& sets) {
  std::uint64_t words[8];
  std::memcpy(words, bytes, sizeof words);
  std::uint64_t all = 0;
  for (std::uint64_t word : words) all |= word;
  if (all & 0x8080808080808080u) return false;
  sets = {};
  for (int i = 0; i < 8; ++i) {
    std::uint64_t word = words[i];
    if constexpr (std::endian::native == std::endian::big) word = std::byteswap(word);
    const std::uint64_t letters = in_range(word | 0x2020202020202020u, 'a', 'z') | in_range(word, '0', '9');
    const std::uint64_t visible = in_range(word, '!', '~');
    sets.letters |= gather_bits(letters) << (8 * i);
    sets.marks |= gather_bits(visible & ~letters) << (8 * i);
  }
  return true;
}

// Adds the weight of whole blocks of ASCII from `at` on, which begins no later than `stop`; returns where they end. Only at
// the start of a word or between words is it exact, so it ends there: in front of the last word that may go on.
std::size_t add_blocks(std::string_view text, std::size_t at, std::uint64_t stop, std::uint64_t& sum) {
  ByteSets sets;
  while (at + 64 <= text.size() && sum < stop && read_sets(text.data() + at, sets)) {
    // Letters that reach the block's end may be half a word: they are left to the next block.
    const int tail = std::countl_one(sets.letters);
    if (tail == 64) return at;
    const std::uint64_t whole = tail == 0 ? ~0ull : ~0ull >> tail;
    const std::uint64_t letters = sets.letters & whole;
    const std::uint64_t begins = letters & ~(letters << 1);
    const std::uint64_t of2 = begins & (letters >> 1), of3 = of2 & (letters >> 2), of4 = of3 & (letters >> 3);
    sum += static_cast<std::uint64_t>(std::popcount(letters) + 4 * std::popcount(sets.marks & whole) + 3 * std::popcount(begins) -
                                      std::popcount(of2) - std::popcount(of3) - std::popcount(of4));
    at += 64 - static_cast<std::size_t>(tail);
  }
  return at;
}

// Counts weights one character at a time.
class Scale {
 public:
  std::uint64_t weight() const { return weight_; }
  // Of what counts against a limit: see weight() in the header.
  std::uint64_t bounded(std::size_t bytes) const { return std::max<std::uint64_t>(weight_, (bytes + 7) / 8); }
  bool between_words() const { return state_ <= kMark; }

  void add(char32_t c) {
    if (c < 0x80) {
      state_ = kNext[state_][c];
      weight_ += kAdds[state_];
      return;
    }
    switch (script_of(c)) {
      case Script::kSpace: state_ = kSpace; return;
      case Script::kMark: case Script::kWide:
        state_ = kMark;
        weight_ += 4;
        return;
      case Script::kLetter:  // two letters' worth: the automaton takes two steps
        add('a');
        add('a');
        return;
    }
  }
  // Blocks of ASCII while the weight is below `stop`; requires between_words(), which holds after it too.
  std::size_t skip_ascii(std::string_view text, std::size_t at, std::uint64_t stop) { return add_blocks(text, at, stop, weight_); }

 private:
  State state_ = kSpace;
  std::uint64_t weight_ = 0;
};

std::uint64_t plain_weight(std::string_view text) {
  Scale scale;
  for (std::size_t at = 0; at < text.size();) {
    if (scale.between_words()) at = scale.skip_ascii(text, at, ~0ull);
    // Sixteen characters with care, then another try at whole blocks.
    const std::size_t next = std::min(text.size(), at + 16);
    while (at < next) scale.add(next_code_point(text, at));
    while (at < text.size() && !scale.between_words()) scale.add(next_code_point(text, at));
  }
  return scale.weight();
}

// What a border before a character is worth; 0 is none.
enum Worth { kNone = 0, kGrapheme = 1, kAfterMark = 8, kWord = 20, kSentence = 50, kLine = 60, kGoodLine = 75, kBlankLine = 100 };

bool ends_sentence(char32_t c) { return c == '.' || c == '!' || c == '?' || c == 0x3002 || c == 0xFF01 || c == 0xFF1F; }
bool closes(char32_t c) { return c == '"' || c == '\'' || c == ')' || c == ']' || c == 0x201D || c == 0x2019 || c == 0x300D; }

// "- x", "* x", "12. x" after the indentation.
bool begins_item(std::string_view line) {
  std::size_t i = 0;
  while (i < line.size() && line[i] == ' ') ++i;
  if (i + 1 >= line.size()) return false;
  if (line[i] == '-' || line[i] == '*' || line[i] == '+') return line[i + 1] == ' ';
  std::size_t digits = i;
  while (digits < line.size() && is_ascii_digit(line[digits])) ++digits;
  return digits > i && digits + 1 < line.size() && (line[digits] == '.' || line[digits] == ')') && line[digits + 1] == ' ';
}

// Walks over the characters of a text and says what the border before the next one is worth.
class Borders {
 public:
  Borders(std::string_view text, CutStyle style) : text_(text), style_(style) {}

  Worth before(char32_t next, std::size_t at) const {
    if (last_ == '\n') {
      if (line_was_blank_ && next != '\n' && next != '\r') return kBlankLine;
      if (style_ == CutStyle::kProse && (sentence_ended_ || begins_item(text_.substr(at, 80)))) return kGoodLine;
      return kLine;
    }
    if (last_ == '\r' && next == '\n') return kNone;
    if (is_extender(next) || last_ == 0x200D) return kNone;
    if (is_regional_indicator(next) && flags_ % 2 == 1) return kNone;
    if (last_space_) {
      if (is_space(next)) return kGrapheme;
      return style_ == CutStyle::kProse && sentence_ended_ ? kSentence : kWord;
    }
    if (is_space(next)) return kGrapheme;
    if (last_ >= 0x2E80) return style_ == CutStyle::kProse && ends_sentence(last_) ? kSentence : kAfterMark;
    return last_ < 0x80 && kClasses[last_] == kIsMark ? kAfterMark : kGrapheme;
  }

  void pass(char32_t c) {
    if (c == '\n') {
      line_was_blank_ = line_is_blank_;
      line_is_blank_ = true;
    } else if (!is_space(c)) {
      line_is_blank_ = false;
    }
    if (ends_sentence(c))
      sentence_ended_ = true;
    else if (!is_space(c) && !closes(c))
      sentence_ended_ = false;
    flags_ = is_regional_indicator(c) ? flags_ + 1 : 0;
    last_space_ = is_space(c);
    last_ = c;
  }

 private:
  static bool is_space(char32_t c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || (c >= 0x80 && script_of(c) == Script::kSpace);
  }

  std::string_view text_;
  CutStyle style_;
  char32_t last_ = 0;
  bool last_space_ = false, line_is_blank_ = false, line_was_blank_ = false, sentence_ended_ = false;
  unsigned flags_ = 0;  // regional indicators in a row
};

// qmd's curve: a border at the edge of the window keeps 30 % of its worth.
double discounted(Worth worth, std::uint64_t weight, std::uint64_t target) {
  const double distance = weight > target ? static_cast<double>(weight - target) : static_cast<double>(target - weight);
  const double share = std::min(1.0, 2 * distance / static_cast<double>(target));
  return static_cast<int>(worth) * (1 - 0.7 * share * share);
}

}  // namespace

std::uint64_t estimate_tokens(std::string_view text) { return (plain_weight(text) + 3) / 4; }

std::uint64_t weight(std::string_view text) {
  return std::max<std::uint64_t>(plain_weight(text), (text.size() + 7) / 8);
}

std::size_t best_cut(std::string_view text, std::uint64_t target, std::uint64_t limit, CutStyle style) {
  target = std::clamp<std::uint64_t>(target, 1, std::max<std::uint64_t>(limit, 1));
  Scale scale;
  Borders borders(text, style);
  // Nothing is cut in the first half (a good border there would leave a crumb), so that is only weighed.
  std::size_t at = 0;
  if (target > 2 * kBlockWeight) {
    at = scale.skip_ascii(text.substr(0, 4 * target), 0, target / 2 - kBlockWeight);
    for (std::size_t i = at - std::min<std::size_t>(at, 64); i < at; ++i) borders.pass(static_cast<unsigned char>(text[i]));
  }
  std::size_t best = 0, last = 0;  // last: the last border of any worth
  double best_value = 0;
  while (at < text.size()) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(text, at);
    if (const Worth worth = begin > 0 ? borders.before(c, begin) : kNone; worth != kNone) {
      const std::uint64_t weighs = scale.bounded(begin);
      if (weighs > limit) return best ? best : last ? last : begin;
      last = begin;
      if (static_cast<int>(worth) >= best_value && weighs * 2 >= target) {
        if (const double value = discounted(worth, weighs, target); value >= best_value) {
          best = begin;
          best_value = value;
        }
      }
    }
    scale.add(c);
    borders.pass(c);
    // A grapheme without end is cut like anything else.
    if (at - last > 256 && at < text.size() && scale.bounded(at) > limit) return best ? best : last ? last : at;
  }
  if (scale.bounded(text.size()) <= limit || last == 0) return text.size();
  return best ? best : last;
}

std::size_t tail_begin(std::string_view text, std::uint64_t limit) {
  const std::uint64_t total = plain_weight(text);
  // Word begins are where weights add up, so a tail's weight is what is missing from the total there.
  auto fits = [&](std::uint64_t before, std::size_t begin) {
    return std::max<std::uint64_t>(total - before, (text.size() - begin + 7) / 8) <= limit;
  };
  Scale scale;
  std::size_t word = text.size();
  bool space = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(text, at);
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (begin > 0 && space && !blank && fits(scale.weight(), begin)) {
      if (text[begin - 1] == '\n') return begin;
      word = std::min(word, begin);
    }
    space = blank;
    scale.add(c);
  }
  return word;
}

}  // namespace ragline
