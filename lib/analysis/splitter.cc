#include "analysis/splitter.h"

#include <unicode/ubrk.h>

#include <array>
#include <string>

#include "analysis/characters.h"

// The idea: nearly all text consists of characters whose effect on word boundaries does not depend on anything but their
// direct neighbours (kLetter, kDigit, kJoiner, ...), so one loop over classes gives what UAX 29 gives. As soon as a
// character with real rules turns up (Hebrew quotes, Thai, format characters), the stretch from the start of the current
// word to the next separator or CJK run goes to ICU; no rule of UAX 29 looks across those.
// The slow twin, which gives everything to ICU, is tests/unit/analysis/slow_words.h.
namespace ragline {

struct Splitter::Breaker {
  Breaker() {
    UErrorCode status = U_ZERO_ERROR;
    iterator = ubrk_open(UBRK_WORD, "", nullptr, 0, &status);
  }
  ~Breaker() {
    if (iterator) ubrk_close(iterator);
  }
  Breaker(const Breaker&) = delete;
  Breaker& operator=(const Breaker&) = delete;

  UBreakIterator* iterator = nullptr;
  std::u16string text;  // what the iterator reads
};

Splitter::Splitter() = default;
Splitter::~Splitter() = default;

namespace {

// By byte: the common case, an ASCII word between ASCII separators, needs no more than this.
enum class ByteKind : std::uint8_t { kSeparator, kWord, kOther };
constexpr std::array<ByteKind, 256> kByteKind = [] {
  std::array<ByteKind, 256> table{};
  table.fill(ByteKind::kOther);
  for (std::size_t byte = 0; byte < 128; ++byte) {
    const CharClass kind = kAsciiClass[byte];
    if (kind == CharClass::kSeparator) table[byte] = ByteKind::kSeparator;
    if (kind == CharClass::kLetter || kind == CharClass::kDigit || kind == CharClass::kLowLine) table[byte] = ByteKind::kWord;
  }
  return table;
}();

ByteKind kind_of(char byte) { return kByteKind[static_cast<unsigned char>(byte)]; }

}  // namespace

void Splitter::split(std::string_view text, std::vector<RawWord>& words) {
  words.clear();
  text_ = text;
  words_ = &words;
  std::size_t at = 0;
  while (at < text.size()) {
    if (kind_of(text[at]) == ByteKind::kSeparator) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && kind_of(text[end]) == ByteKind::kWord) ++end;
    const bool closed = end == text.size() || kind_of(text[end]) == ByteKind::kSeparator;
    if (closed && text[at] != '_' && end - at > 1 && end - at <= kMaxRawWordBytes) {
      words.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
      at = end;
    } else {
      at = slow_word(at);
    }
  }
}

// Any word, or what is none. Returns where to go on.
std::size_t Splitter::slow_word(std::size_t at) {
  const Peek here = peek(text_, at);
  switch (here.kind) {
    case CharClass::kLetter:
    case CharClass::kDigit:
    case CharClass::kLowLine: return word(at);
    case CharClass::kCjk: return cjk_run(at);
    case CharClass::kMark:
    case CharClass::kComplex: return complex_stretch(at);
    default: return here.next;
  }
}

namespace {

// What a run of low lines (possibly empty) at text[at] leads to: kLetter for a word, kComplex when ICU must say.
CharClass after_low_lines(std::string_view text, std::size_t at) {
  bool low_line = false;
  while (at < text.size()) {
    const Peek here = peek(text, at);
    switch (here.kind) {
      case CharClass::kLetter:
      case CharClass::kDigit: return CharClass::kLetter;
      case CharClass::kLowLine: low_line = true; break;
      case CharClass::kMark:
        if (!low_line) return CharClass::kComplex;
        break;
      case CharClass::kComplex: return CharClass::kComplex;
      default: return CharClass::kSeparator;
    }
    at = here.next;
  }
  return CharClass::kSeparator;
}

}  // namespace

// A word that starts with a letter, a digit or a low line. Returns where to go on.
std::size_t Splitter::word(std::size_t begin) {
  std::size_t at = begin;
  if (text_[at] == '_') {
    const CharClass leads_to = after_low_lines(text_, at);
    if (leads_to == CharClass::kComplex) return complex_stretch(begin);
    while (at < text_.size() && (text_[at] == '_' || peek(text_, at).kind == CharClass::kMark)) {
      at = peek(text_, at).next;
    }
    if (leads_to == CharClass::kSeparator) return at;
  }
  CharClass last = CharClass::kLetter;  // of the last character outside ASCII
  for (;;) {
    while (at < text_.size() && kind_of(text_[at]) == ByteKind::kWord) ++at;
    if (at == text_.size()) break;
    const Peek here = peek(text_, at);
    if (here.kind == CharClass::kLetter || here.kind == CharClass::kDigit) {
      last = here.kind;
      at = here.next;
      continue;
    }
    if (here.kind == CharClass::kMark) {
      if (static_cast<unsigned char>(text_[at - 1]) < 0x80) last = kAsciiClass[static_cast<unsigned char>(text_[at - 1])];
      at = here.next;
      continue;
    }
    if (here.kind == CharClass::kComplex) return complex_stretch(begin);
    if (here.kind == CharClass::kJoiner) {
      const CharClass leads_to = after_low_lines(text_, here.next);
      if (leads_to == CharClass::kComplex) return complex_stretch(begin);
      if (leads_to == CharClass::kSeparator) break;
      at = here.next;
      continue;
    }
    if (here.kind == CharClass::kComma && here.next < text_.size()) {
      const auto before = static_cast<unsigned char>(text_[at - 1]);
      const CharClass left = before < 0x80 ? kAsciiClass[before] : last;
      const CharClass right = peek(text_, here.next).kind;
      if (right == CharClass::kMark || right == CharClass::kComplex) return complex_stretch(begin);
      if (left != CharClass::kDigit || right != CharClass::kDigit) break;
      at = here.next;
      continue;
    }
    break;
  }
  emit(begin, at);
  return at;
}

std::size_t Splitter::cjk_run(std::size_t begin) {
  std::size_t at = begin;
  while (at < text_.size()) {
    std::size_t next = at;
    const char32_t c = next_code_point(text_, next);
    if (!is_cjk(c) && !is_cjk_mark(c)) break;
    at = next;
  }
  emit(begin, at);
  return at;
}

std::size_t Splitter::complex_stretch(std::size_t begin) {
  std::size_t end = begin;
  bool wordy = false;
  while (end < text_.size()) {
    const Peek here = peek(text_, end);
    if (here.kind == CharClass::kSeparator || here.kind == CharClass::kCjk) break;
    wordy = wordy || is_alphanumeric(next_code_point(text_, end));
    end = here.next;
  }
  if (wordy) break_by_icu(begin, end);
  return end;
}

void Splitter::break_by_icu(std::size_t begin, std::size_t end) {
  if (!breaker_) breaker_ = std::make_unique<Breaker>();
  // UTF-16, because ICU's dictionaries measure in code units and cut short Lao words elsewhere in UTF-8. ICU 72 alone takes
  // '@' for a letter: it is shown another separator, so that all releases agree.
  std::u16string& text = breaker_->text;
  text.clear();
  for (std::size_t at = begin; at < end;) {
    const char32_t c = decode(text_, at);
    if (c > 0xFFFF) text += static_cast<char16_t>(0xD7C0 + (c >> 10));
    text += c > 0xFFFF ? static_cast<char16_t>(0xDC00 + (c & 0x3FF)) : c == '@' ? u'/' : static_cast<char16_t>(c);
  }
  UErrorCode status = U_ZERO_ERROR;
  ubrk_setText(breaker_->iterator, text.data(), static_cast<std::int32_t>(text.size()), &status);
  if (U_FAILURE(status)) return emit(begin, end);  // out of memory, or ICU without its data

  std::size_t word_begin = begin, word_end = begin;  // the word that may still grow, if any
  bool joined = false;                               // a joiner stands behind it
  std::size_t from = begin, until = begin;
  std::int32_t unit = 0;
  for (auto to = ubrk_next(breaker_->iterator); to != UBRK_DONE; to = ubrk_next(breaker_->iterator)) {
    bool wordy = false, joiner = unit + 1 == to;
    while (unit < to) {
      const char32_t c = decode(text_, until);
      unit += c > 0xFFFF ? 2 : 1;
      wordy = wordy || is_alphanumeric(c);
      joiner = joiner && is_joiner(c);
    }
    if (wordy) {
      if (!joined) {
        if (word_end > word_begin) emit(word_begin, word_end);
        word_begin = from;
      }
      word_end = until;
      joined = false;
    } else {
      joined = joiner && word_end > word_begin && word_end == from;
    }
    from = until;
  }
  if (word_end > word_begin) emit(word_begin, word_end);
}

void Splitter::emit(std::size_t begin, std::size_t end) {
  if (end - begin == 1 && kAsciiClass[static_cast<unsigned char>(text_[begin])] == CharClass::kLetter) {
    const std::string_view rest = text_.substr(end, 2);
    if (rest == "++") end += 2;
    else if (rest.starts_with('#')) end += 1;
  }
  while (end - begin > kMaxRawWordBytes) {
    const std::size_t cut = utf8_floor(text_, begin + kMaxRawWordBytes);
    words_->push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(cut)});
    begin = cut;
  }
  words_->push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
}

}  // namespace ragline
