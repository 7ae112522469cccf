#include <algorithm>

#include "core/utf8.h"
#include "corpus/lines.h"
#include "corpus/scale.h"
#include "corpus/tokens.h"

// Where to cut. Lines first: they are found by memchr and weighed block by block; only when no line
// begins where the cut may be are characters looked at one by one (a long line of prose, minified
// code).
namespace ragline {

namespace {

bool in(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

// What never begins a grapheme: combining marks of the common scripts, joiners, variation
// selectors, skin tones, tags.
bool is_extender(char32_t c) {
  if (c < 0x300) return false;
  static constexpr std::pair<char32_t, char32_t> kRanges[] = {
      {0x300, 0x36F},     {0x483, 0x489},     {0x591, 0x5BD},    {0x5BF, 0x5C7},   {0x610, 0x61A},
      {0x64B, 0x65F},     {0x670, 0x670},     {0x6D6, 0x6DC},    {0x6DF, 0x6E8},   {0x6EA, 0x6ED},
      {0x730, 0x74A},     {0x900, 0x903},     {0x93A, 0x93C},    {0x93E, 0x94F},   {0x951, 0x957},
      {0x962, 0x963},     {0x981, 0x983},     {0x9BC, 0x9BC},    {0x9BE, 0x9CD},   {0xA01, 0xA03},
      {0xA3C, 0xA51},     {0xA81, 0xA83},     {0xABC, 0xABC},    {0xABE, 0xACD},   {0xB01, 0xB03},
      {0xB3C, 0xB3C},     {0xB3E, 0xB57},     {0xBBE, 0xBCD},    {0xC00, 0xC04},   {0xC3E, 0xC56},
      {0xC81, 0xC83},     {0xCBC, 0xCBC},     {0xCBE, 0xCD6},    {0xD00, 0xD03},   {0xD3B, 0xD4D},
      {0xDCA, 0xDDF},     {0xE31, 0xE31},     {0xE34, 0xE3A},    {0xE47, 0xE4E},   {0xEB1, 0xEB1},
      {0xEB4, 0xEBC},     {0xEC8, 0xECD},     {0x102B, 0x103E},  {0x1160, 0x11FF}, {0x135D, 0x135F},
      {0x17B4, 0x17D3},   {0x1AB0, 0x1AFF},   {0x1DC0, 0x1DFF},  {0x200C, 0x200D}, {0x20D0, 0x20FF},
      {0x302A, 0x302F},   {0x3099, 0x309A},   {0xFE00, 0xFE0F},  {0xFE20, 0xFE2F}, {0xFF9E, 0xFF9F},
      {0x1F3FB, 0x1F3FF}, {0xE0020, 0xE007F}, {0xE0100, 0xE01EF}};
  const auto* range =
      std::ranges::upper_bound(kRanges, c, {}, [](const auto& r) { return r.first; });
  return range != std::begin(kRanges) && c <= (range - 1)->second;
}

bool is_regional_indicator(char32_t c) { return in(c, 0x1F1E6, 0x1F1FF); }

enum Worth {
  kNone = 0,
  kGrapheme = 1,
  kAfterMark = 8,
  kWord = 20,
  kSentence = 50,
  kLine = 60,
  kGoodLine = 75,
  kBlankLine = 100
};

bool is_space(char32_t c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' ||
         (c >= 0x80 && script_of(c) == Script::kSpace);
}
bool ends_sentence(char32_t c) {
  return c == '.' || c == '!' || c == '?' || c == 0x3002 || c == 0xFF01 || c == 0xFF1F;
}
bool closes(char32_t c) {
  return c == '"' || c == '\'' || c == ')' || c == ']' || c == 0x201D || c == 0x2019 || c == 0x300D;
}

// "- x", "* x", "12. x" after the indentation.
bool begins_item(std::string_view line) {
  std::size_t i = 0;
  while (i < line.size() && line[i] == ' ') ++i;
  if (i + 1 >= line.size()) return false;
  if (line[i] == '-' || line[i] == '*' || line[i] == '+') return line[i + 1] == ' ';
  std::size_t digits = i;
  while (digits < line.size() && is_ascii_digit(line[digits])) ++digits;
  return digits > i && digits + 1 < line.size() && (line[digits] == '.' || line[digits] == ')') &&
         line[digits + 1] == ' ';
}

bool ends_sentence(std::string_view line) {
  while (!line.empty() && (is_space(static_cast<unsigned char>(line.back())) ||
                           closes(static_cast<unsigned char>(line.back()))))
    line.remove_suffix(1);
  return line.ends_with("\u3002") ||
         (!line.empty() && ends_sentence(static_cast<unsigned char>(line.back())));
}

// The border with the highest value so far. A border's worth shrinks with its distance from the
// target, by qmd's curve: at half the target away 30 % are left.
class Best {
 public:
  explicit Best(std::uint64_t target) : target_(target) {}

  // Nothing in the first half: a good border there would leave a crumb.
  void offer(Worth worth, std::uint64_t weighs, std::size_t at) {
    if (static_cast<int>(worth) < value_ || weighs * 2 < target_) return;
    const std::uint64_t distance = weighs > target_ ? weighs - target_ : target_ - weighs;
    const double share =
        std::min(1.0, 2 * static_cast<double>(distance) / static_cast<double>(target_));
    const double value = static_cast<int>(worth) * (1 - 0.7 * share * share);
    if (value < value_) return;
    value_ = value;
    at_ = at;
  }
  std::size_t at() const { return at_; }  // 0: none

 private:
  std::uint64_t target_;
  double value_ = 0;
  std::size_t at_ = 0;
};

// The whole first half is only weighed. Its end is `at`.
struct Start {
  Scale scale;
  std::size_t at = 0;
};

Start skip_first_half(std::string_view text, std::uint64_t target) {
  constexpr std::uint64_t kBlockWeight = 256;
  Start start;
  if (target > 2 * kBlockWeight)
    start.at = start.scale.add_ascii(text.substr(0, 4 * target), 0, target / 2 - kBlockWeight);
  return start;
}

// The best begin of a line, text.size() when all of it fits; 0 when no line begins where the cut
// may be.
std::size_t best_line(std::string_view text, const Start& start, std::uint64_t target,
                      std::uint64_t limit, CutStyle style) {
  const std::string_view window =
      text.substr(0, 8 * limit + 1);  // what is longer than this weighs too much
  Best best(target);
  Scale scale = start.scale;
  for (std::size_t at = start.at; at < window.size();) {
    const TextLine line = line_at(window, at);
    scale.add_text(window.substr(at, line.end - at));
    at = line.end;
    const std::uint64_t weighs = scale.bounded(at);
    if (weighs > limit) break;
    if (at == text.size()) return at;
    const std::string_view content = line.content(window), rest = window.substr(at, 80);
    Worth worth = kLine;
    if (is_blank(content) && rest[0] != '\n' && rest[0] != '\r')
      worth = kBlankLine;
    else if (style == CutStyle::kProse && (ends_sentence(content) || begins_item(rest)))
      worth = kGoodLine;
    best.offer(worth, weighs, at);
  }
  return best.at();
}

// Walks over the characters of a text and says what the border before the next one is worth.
class Borders {
 public:
  explicit Borders(CutStyle style) : style_(style) {}

  Worth before(char32_t next) const {
    if (last_ == '\n') return kLine;
    if (last_ == '\r' && next == '\n') return kNone;
    if (is_extender(next) || last_ == 0x200D) return kNone;
    if (is_regional_indicator(next) && flags_ % 2 == 1) return kNone;
    const bool sentence = style_ == CutStyle::kProse && sentence_ended_;
    if (last_space_) return is_space(next) ? kGrapheme : sentence ? kSentence : kWord;
    if (is_space(next)) return kGrapheme;
    if (last_ >= 0x2E80) return sentence ? kSentence : kAfterMark;
    if (last_ >= 0x80 || is_ascii_letter(static_cast<char>(last_)) ||
        is_ascii_digit(static_cast<char>(last_)))
      return kGrapheme;
    return kAfterMark;
  }

  void pass(char32_t c) {
    last_space_ = is_space(c);
    if (ends_sentence(c))
      sentence_ended_ = true;
    else if (!last_space_ && !closes(c))
      sentence_ended_ = false;
    flags_ = is_regional_indicator(c) ? flags_ + 1 : 0;
    last_ = c;
  }

 private:
  CutStyle style_;
  char32_t last_ = 0;
  bool last_space_ = false, sentence_ended_ = false;
  unsigned flags_ = 0;  // regional indicators in a row
};

// The best border between two characters. Only a grapheme that is too heavy by itself makes it
// heavier than the limit.
std::size_t best_character(std::string_view text, const Start& start, std::uint64_t target,
                           std::uint64_t limit, CutStyle style) {
  Best best(target);
  Scale scale = start.scale;
  Borders borders(style);
  std::size_t at = start.at;
  for (std::size_t i = at - std::min<std::size_t>(at, 64); i < at; ++i)
    borders.pass(static_cast<unsigned char>(text[i]));
  std::size_t last = 0;  // the last border of any worth
  auto choice = [&](std::size_t otherwise) {
    return best.at() ? best.at() : last ? last : otherwise;
  };
  while (at < text.size()) {
    const std::size_t begin = at;
    const auto byte = static_cast<unsigned char>(text[at]);
    const char32_t c = byte < 0x80 ? text[at++] : next_code_point(text, at);
    if (const Worth worth = begin > 0 ? borders.before(c) : kNone; worth != kNone) {
      const std::uint64_t weighs = scale.bounded(begin);
      if (weighs > limit) return choice(begin);
      last = begin;
      best.offer(worth, weighs, begin);
    }
    scale.add(c);
    borders.pass(c);
    // A grapheme without end is cut like anything else.
    if (at - last > 256 && at < text.size() && scale.bounded(at) > limit) return choice(at);
  }
  return scale.bounded(text.size()) <= limit ? text.size() : choice(text.size());
}

}  // namespace

std::size_t best_cut(std::string_view text, std::uint64_t target, std::uint64_t limit,
                     CutStyle style) {
  if (text.empty()) return 0;
  target = std::clamp<std::uint64_t>(target, 1, std::max<std::uint64_t>(limit, 1));
  const Start start = skip_first_half(text, target);
  if (const std::size_t line = best_line(text, start, target, limit, style)) return line;
  return best_character(text, start, target, limit, style);
}

std::size_t tail_begin(std::string_view text, std::uint64_t limit) {
  Scale whole;
  whole.add_text(text);
  const std::uint64_t total = whole.weight();
  // Word begins are where weights add up, so a tail's weight is what is missing from the total
  // there.
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
