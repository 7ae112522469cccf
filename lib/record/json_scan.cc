#include "record/json_scan.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/text.h"
#include "core/utf8.h"
#include "record/json_bytes.h"

namespace ragline {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const int lower = c | 0x20;
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Four hex digits at text[at], or -1.
int hex4(std::string_view text, std::size_t at) {
  if (at + 4 > text.size()) return -1;
  int value = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const int digit = hex_digit(text[i]);
    if (digit < 0) return -1;
    value = value << 4 | digit;
  }
  return value;
}

// What a one-letter escape stands for, or 0. A table, because a switch is mispredicted at every
// other escape.
constexpr std::array<char, 256> kPlainEscapes = [] {
  std::array<char, 256> plain{};
  constexpr std::string_view kPairs = "\"\"\\\\//b\bf\fn\nr\rt\t";
  for (std::size_t i = 0; i < kPairs.size(); i += 2)
    plain[static_cast<unsigned char>(kPairs[i])] = kPairs[i + 1];
  return plain;
}();
char plain_escape(char letter) { return kPlainEscapes[static_cast<unsigned char>(letter)]; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The first byte in [at, end) that cannot stand in a string as it is, or end.
const char* find_special(const char* at, const char* end) {
  for (; end - at >= 8; at += 8)
    if (const std::uint64_t mask = mask_special(load_word(at))) return at + first_hit(mask);
  while (at < end && !is_special(*at)) ++at;
  return at;
}

// Copies up to the first backslash, eight bytes a step: the word is stored first and looked at
// then. `to` needs eight bytes more room than there is to copy. Returns where it stopped; `to` is
// moved along.
const char* copy_plain(const char* at, const char* end, char*& to) {
  for (; end - at >= 8; at += 8, to += 8) {
    std::memcpy(to, at, 8);
    if (const std::uint64_t mask = mask_equal(load_word(at), '\\')) {
      to += first_hit(mask);
      return at + first_hit(mask);
    }
  }
  while (at < end && *at != '\\') *to++ = *at++;
  return at;
}

// Writes the character of the escape at text[at], which is a backslash, and moves `at` behind it.
// False when there is no such escape. No escape is shorter than what it stands for.
bool copy_escape(std::string_view text, std::size_t& at, char*& to) {
  const char letter = at + 1 < text.size() ? text[at + 1] : '\0';
  if (letter != 'u') {
    at += 2;
    *to = plain_escape(letter);
    return *to++ != 0;
  }
  const int first = hex4(text, at + 2);
  if (first < 0) return false;
  at += 6;
  auto code = static_cast<char32_t>(first);
  if (code >= 0xD800 && code < 0xDC00 && text.substr(at, 2) == "\\u") {
    const int second = hex4(text, at + 2);
    if (second >= 0xDC00 && second < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10) + (static_cast<char32_t>(second) - 0xDC00);
      at += 6;
    }
  }
  std::string character;
  append_utf8(character, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
  to = std::ranges::copy(character, to).out;
  return true;
}

}  // namespace

void JsonScanner::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') break;
    ++at_;
  }
}

JsonToken JsonScanner::bad(std::string_view what) {
  what_ = what;
  return JsonToken::kFault;
}

Error JsonScanner::fault() const {
  return {ErrorKind::kData, cat("not JSON at byte ", at_, ": ", what_)};
}

JsonToken JsonScanner::next() {
  if (last_ != JsonToken::kFault) last_ = advance();
  return last_;
}

JsonToken JsonScanner::advance() {
  skip_blanks();
  if (expect_ == Expect::kCommaOrClose) {
    if (depth_ == 0)
      return at_ == text_.size() ? JsonToken::kEnd
                                 : bad("something follows the value: give one value a line");
    if (at_ < text_.size() && text_[at_] == ',') {
      ++at_;
      expect_ = in_object() ? Expect::kKey : Expect::kValue;
      skip_blanks();
    } else if (at_ < text_.size() && text_[at_] == (in_object() ? '}' : ']')) {
      return close();
    } else if (at_ < text_.size()) {
      return bad(in_object()
                     ? "a member is followed by neither ',' nor '}': add what is missing"
                     : "an element is followed by neither ',' nor ']': add what is missing");
    }
  }
  if (at_ == text_.size())
    return bad(depth_ == 0   ? "the text is empty: give one value"
               : in_object() ? "the text ends inside an object: close it with '}', on one line"
                             : "the text ends inside a list: close it with ']', on one line");
  const char c = text_[at_];
  if (expect_ == Expect::kKey || expect_ == Expect::kKeyOrClose) {
    if (c == '"') return string(true);
    if (c == '}' && expect_ == Expect::kKeyOrClose) return close();
    return bad(c == '}' ? "a ',' before '}': remove it"
                        : "a member without a name: give \"name\": value");
  }
  switch (c) {
    case '{':
      return open(true);
    case '[':
      return open(false);
    case ']':
      return expect_ == Expect::kValueOrClose ? close() : bad("a ',' before ']': remove it");
    case '"':
      return string(false);
    case 't':
      return word("true", JsonToken::kTrue);
    case 'f':
      return word("false", JsonToken::kFalse);
    case 'n':
      return word("null", JsonToken::kNull);
    default:
      break;
  }
  if (c == '-' || is_digit(c)) return number();
  return bad("no value starts like this: strings need double quotes, and NaN is written null");
}

JsonToken JsonScanner::open(bool object) {
  if (depth_ == kMaxJsonDepth) return bad("more than 1024 levels of nesting: flatten it");
  ++depth_;
  const std::uint64_t bit = std::uint64_t{1} << (depth_ % 64);
  if (object) {
    stack_[depth_ / 64] |= bit;
  } else {
    stack_[depth_ / 64] &= ~bit;
  }
  raw_ = text_.substr(at_++, 1);
  expect_ = object ? Expect::kKeyOrClose : Expect::kValueOrClose;
  return object ? JsonToken::kOpenObject : JsonToken::kOpenArray;
}

JsonToken JsonScanner::close() {
  const JsonToken token = in_object() ? JsonToken::kCloseObject : JsonToken::kCloseArray;
  raw_ = text_.substr(at_++, 1);
  --depth_;
  expect_ = Expect::kCommaOrClose;
  return token;
}

JsonToken JsonScanner::string(bool key) {
  const char* const end = text_.data() + text_.size();
  const std::size_t begin = ++at_;
  while (true) {
    at_ = static_cast<std::size_t>(find_special(text_.data() + at_, end) - text_.data());
    if (at_ == text_.size())
      return bad("the text ends inside a string: close it with '\"', on one line");
    if (text_[at_] == '"') break;
    if (text_[at_] != '\\')
      return bad("a control character inside a string: escape it, a tab as \\t, NUL as \\u0000");
    const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (letter == 'u') {
      if (hex4(text_, at_ + 2) < 0)
        return bad("\\u without four hex digits: write \\\\u for a backslash");
      at_ += 6;
    } else {
      if (!plain_escape(letter)) return bad("an unknown escape: write \\\\ for a backslash");
      at_ += 2;
    }
  }
  raw_ = text_.substr(begin, at_ - begin);
  ++at_;
  expect_ = Expect::kCommaOrClose;
  if (!key) return JsonToken::kString;
  skip_blanks();
  if (at_ == text_.size() || text_[at_] != ':')
    return bad("a name without ':': give \"name\": value");
  ++at_;
  expect_ = Expect::kValue;
  return JsonToken::kKey;
}

JsonToken JsonScanner::number() {
  const std::size_t begin = at_;
  auto digits = [&] {
    const std::size_t first = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return at_ > first;
  };
  auto take = [&](char a, char b) {
    const bool there = at_ < text_.size() && (text_[at_] == a || text_[at_] == b);
    at_ += there;
    return there;
  };
  take('-', '-');
  const bool zero = at_ < text_.size() && text_[at_] == '0';
  const std::size_t whole = at_;
  if (!digits()) return bad("'-' without digits: give a number");
  if (zero && at_ - whole > 1)
    return bad("a number with leading zeros: quote it or drop the zeros");
  if (take('.', '.') && !digits())
    return bad("a '.' without digits behind it: give a number like 1.0");
  if (take('e', 'E')) {
    take('+', '-');
    if (!digits()) return bad("an exponent without digits: give a number like 1e5");
  }
  raw_ = text_.substr(begin, at_ - begin);
  expect_ = Expect::kCommaOrClose;
  return JsonToken::kNumber;
}

JsonToken JsonScanner::word(std::string_view spelling, JsonToken token) {
  if (text_.substr(at_, spelling.size()) != spelling)
    return bad("no value starts like this: strings need double quotes, and None is written null");
  raw_ = text_.substr(at_, spelling.size());
  at_ += spelling.size();
  expect_ = Expect::kCommaOrClose;
  return token;
}

std::optional<std::string_view> JsonScanner::value() {
  const int outside = depth_;
  JsonToken token = next();
  if (token == JsonToken::kFault || depth_ < outside || token == JsonToken::kEnd)
    return std::nullopt;
  const bool quoted = token == JsonToken::kString;
  const std::size_t begin = at_ - raw_.size() - (quoted ? 2 : 0);
  while (depth_ > outside)
    if (next() == JsonToken::kFault) return std::nullopt;
  return text_.substr(begin, at_ - begin);
}

Status check_json_grammar(std::string_view json) {
  JsonScanner scan(json);
  while (true) {
    const JsonToken token = scan.next();
    if (token == JsonToken::kEnd) return {};
    if (token == JsonToken::kFault) return std::unexpected(scan.fault());
  }
}

bool append_unescaped(std::string& out, std::string_view inside) {
  if (inside.find('\\') == inside.npos) {
    out += inside;
    return true;
  }
  const std::size_t held = out.size();
  bool good = true;
  out.resize_and_overwrite(held + inside.size() + 8, [&](char* buffer, std::size_t) {
    char* to = buffer + held;
    const char* const end = inside.data() + inside.size();
    for (const char* from = inside.data(); good;) {
      from = copy_plain(from, end, to);
      if (from == end) break;
      auto at = static_cast<std::size_t>(from - inside.data());
      good = copy_escape(inside, at, to);
      from = inside.data() + at;
    }
    return static_cast<std::size_t>(to - buffer);
  });
  return good;
}

}  // namespace ragline
