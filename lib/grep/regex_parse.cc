#include <algorithm>
#include <set>

#include "core/text.h"
#include "core/utf8.h"
#include "grep/re2_program.h"
#include "grep/regex.h"

namespace ragline {

namespace {

using Kind = Regex::Kind;

struct NamedRanges {
  std::string_view name;
  std::vector<CodeRange> ranges;
};

const std::vector<CodeRange>& posix_ranges(std::string_view name) {
  static const std::vector<NamedRanges> kClasses = {
      {"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}}, {"alpha", {{'A', 'Z'}, {'a', 'z'}}},
      {"ascii", {{0, 0x7F}}}, {"blank", {{'\t', '\t'}, {' ', ' '}}}, {"cntrl", {{0, 0x1F}, {0x7F, 0x7F}}},
      {"digit", {{'0', '9'}}}, {"graph", {{'!', '~'}}}, {"lower", {{'a', 'z'}}}, {"print", {{' ', '~'}}},
      {"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}}, {"space", {{'\t', '\r'}, {' ', ' '}}},
      {"upper", {{'A', 'Z'}}}, {"word", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}},
      {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}}};
  static const std::vector<CodeRange> kNothing;
  for (const NamedRanges& each : kClasses)
    if (each.name == name) return each.ranges;
  return kNothing;
}

// White_Space.
const std::vector<CodeRange> kSpace = {{'\t', '\r'},     {' ', ' '},       {0x85, 0x85},     {0xA0, 0xA0},
                                       {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F},
                                       {0x205F, 0x205F}, {0x3000, 0x3000}};

std::vector<CodeRange> others(const std::vector<CodeRange>& ranges) {
  std::vector<CodeRange> gaps;
  char32_t next = 0;
  for (const CodeRange& range : ranges) {
    if (range.first > next) gaps.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  gaps.push_back({next, 0x10FFFF});
  return gaps;
}

// Recursive descent over what RE2 has accepted; what it does not know is an error all the same.
class Parser {
 public:
  Parser(std::string_view text, const SyntaxOptions& options) : text_(text), options_(options) {
    flags_.fold = options.fold;
    flags_.dot_newline = options.dot_newline;
  }

  Result<Regex> parse() {
    RAGLINE_TRY(Regex regex, alternation());
    if (at_ < text_.size()) return wrong("')' closes nothing: write \\)");
    return regex;
  }

 private:
  struct Flags {
    bool fold = false, dot_newline = false, by_lines = true, swap_greed = false;
  };

  bool ended() const { return at_ >= text_.size(); }
  bool next_is(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  bool take(std::string_view what) {
    if (!next_is(what)) return false;
    at_ += what.size();
    return true;
  }
  std::unexpected<Error> wrong(std::string_view what) const {
    return fail(ErrorKind::kUsage, cat("at ", at_ + 1, ": ", what));
  }

  Result<Regex> alternation() {
    const Flags outer = flags_;
    std::vector<Regex> choices;
    do {
      RAGLINE_TRY(Regex choice, sequence());
      choices.push_back(std::move(choice));
    } while (take("|"));
    flags_ = outer;
    return choices.size() == 1 ? std::move(choices[0]) : make_list(Kind::kAlternate, std::move(choices));
  }

  Result<Regex> sequence() {
    std::vector<Regex> parts;
    while (!ended() && !next_is("|") && !next_is(")")) {
      if (take("\\Q")) {
        const std::size_t end = std::min(text_.find("\\E", at_), text_.size());
        while (at_ < end) parts.push_back(literal(next_code_point(text_, at_)));
        take("\\E");
        continue;
      }
      if (take("\\E")) continue;
      RAGLINE_TRY(Regex part, atom());
      RAGLINE_CHECK(repeats(part));
      parts.push_back(std::move(part));
    }
    return parts.size() == 1 ? std::move(parts[0]) : make_list(Kind::kConcat, std::move(parts));
  }

  Status repeats(Regex& part) {
    while (!ended()) {
      int least = 0, most = -1;
      if (take("*")) {
      } else if (take("+")) {
        least = 1;
      } else if (take("?")) {
        most = 1;
      } else if (!bounds(least, most)) {
        break;
      }
      Regex repeat = make_node(Kind::kRepeat);
      repeat.least = least;
      repeat.most = most;
      repeat.greedy = take("?") == flags_.swap_greed;
      repeat.children.push_back(std::move(part));
      part = std::move(repeat);
    }
    return {};
  }

  // {n}, {n,}, {n,m}; any other '{' is itself.
  bool bounds(int& least, int& most) {
    const std::size_t close = text_.find('}', at_);
    if (!next_is("{") || close == text_.npos) return false;
    const std::string_view inside = text_.substr(at_ + 1, close - at_ - 1);
    const std::size_t comma = inside.find(',');
    auto number = [](std::string_view digits) -> std::optional<std::int64_t> {
      if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) return std::nullopt;
      return parse_integer(digits);
    };
    const auto low = number(inside.substr(0, comma));
    if (!low || *low > 1000) return false;
    least = most = static_cast<int>(*low);
    if (comma != inside.npos) {
      most = -1;
      if (comma + 1 < inside.size()) {
        const auto high = number(inside.substr(comma + 1));
        if (!high || *high > 1000) return false;
        most = static_cast<int>(*high);
      }
    }
    at_ = close + 1;
    return true;
  }

  Regex literal(char32_t code_point) const {
    Regex node = make_node(Kind::kLiteral);
    node.code_point = code_point;
    node.fold = flags_.fold;
    return node;
  }

  Result<Regex> atom() {
    if (next_is("(")) return group();
    if (next_is("[")) return bracket();
    if (next_is("\\")) return escape();
    if (take(".")) return make_node(flags_.dot_newline ? Kind::kAny : Kind::kDot);
    if (take("^")) return make_node(flags_.by_lines ? Kind::kLineStart : Kind::kTextStart);
    if (take("$")) return make_node(flags_.by_lines ? Kind::kLineEnd : Kind::kTextEnd);
    const std::size_t begin = at_;
    const char32_t found = next_code_point(text_, at_);
    if (found == '\n') return newline(begin);
    return literal(found);
  }

  Result<Regex> newline(std::size_t begin) {
    if (options_.multiline) return literal('\n');
    at_ = begin;
    return wrong("a line end, which no line holds: search across lines with -U (--multiline)");
  }

  Result<Regex> group() {
    const std::size_t begin = at_++;
    const Flags outer = flags_;
    bool captures = true;
    std::string name;
    if (take("?P<") || take("?<")) {
      name = text_.substr(at_, text_.find('>', at_) - at_);
      if (!names_.insert(name).second) return wrong(cat("a second group named '", name, "': give it another name"));
      at_ += name.size() + 1;
    } else if (take("?")) {
      captures = false;
      bool on = true;
      for (; !ended() && !next_is(":") && !next_is(")"); ++at_) {
        switch (text_[at_]) {
          case '-': on = false; break;
          case 'i': flags_.fold = on; break;
          case 's': flags_.dot_newline = on; break;
          case 'm': flags_.by_lines = on; break;
          case 'U': flags_.swap_greed = on; break;
          default: return wrong("an unknown flag");
        }
      }
      if (take(")")) return make_node(Kind::kEmpty);  // holds to the end of the group around it
      take(":");
    }
    RAGLINE_TRY(Regex inside, alternation());
    flags_ = outer;
    if (!take(")")) {
      at_ = begin;
      return wrong("'(' is not closed: write \\( for the character");
    }
    if (!captures) return inside;
    Regex capture = make_node(Kind::kCapture);
    capture.name = std::move(name);
    capture.children.push_back(std::move(inside));
    return capture;
  }

  Result<Regex> escape() {
    const std::size_t begin = at_++;
    Regex node = make_node(Kind::kClass);
    if (class_escape(node.set)) {
      node.set.fold = flags_.fold;
      return node;
    }
    if (take("b")) return make_node(Kind::kBoundary);
    if (take("B")) return make_node(Kind::kNotBoundary);
    if (take("A")) return make_node(Kind::kTextStart);
    if (take("z")) return make_node(Kind::kTextEnd);
    at_ = begin;
    const auto found = character_escape();
    if (!found) return wrong("an unknown escape");
    if (*found == '\n') return newline(begin);
    return literal(*found);
  }

  // At the backslash. nullopt, and nothing taken, for what is no character.
  std::optional<char32_t> character_escape() {
    static constexpr std::string_view kNames = "afnrtv", kBytes = "\a\f\n\r\t\v";
    const std::size_t begin = at_++;
    if (ended()) return std::nullopt;
    const char c = text_[at_];
    if (const auto name = kNames.find(c); name != kNames.npos) {
      ++at_;
      return static_cast<unsigned char>(kBytes[name]);
    }
    auto digits = [&](std::string_view given, int base) {
      char32_t value = 0;
      std::from_chars(given.data(), given.data() + given.size(), reinterpret_cast<std::uint32_t&>(value), base);
      return value;
    };
    if (take("x{")) {
      const std::size_t close = std::min(text_.find('}', at_), text_.size());
      const char32_t value = digits(text_.substr(at_, close - at_), 16);
      at_ = close + 1;
      return value;
    }
    if (take("x")) {
      at_ += 2;
      return digits(text_.substr(at_ - 2, 2), 16);
    }
    if (c >= '0' && c <= '7') {
      std::size_t length = 1;
      while (length < 3 && at_ + length < text_.size() && text_[at_ + length] >= '0' && text_[at_ + length] <= '7') ++length;
      at_ += length;
      return digits(text_.substr(at_ - length, length), 8);
    }
    if (!is_ascii_word(static_cast<unsigned char>(c))) return next_code_point(text_, at_);
    at_ = begin;
    return std::nullopt;
  }

  // Behind the backslash: \w \d \s \pN \p{Greek} and their opposites, added to `set`.
  bool class_escape(CharClass& set) {
    auto add = [&](const std::vector<CodeRange>& ranges) { set.ranges.insert(set.ranges.end(), ranges.begin(), ranges.end()); };
    if (take("w")) return set.word = true;
    if (take("W")) return set.not_word = true;
    if (take("s")) return add(kSpace), true;
    if (take("S")) return add(others(kSpace)), true;
    if (next_is("d") || next_is("D")) {
      Property digit = find_property("Nd");
      digit.negated = text_[at_++] == 'D';
      set.properties.push_back(std::move(digit));
      return true;
    }
    if (!next_is("p") && !next_is("P")) return false;
    const std::size_t begin = at_;
    bool negated = text_[at_++] == 'P';
    std::string_view name = text_.substr(at_, 1);
    ++at_;
    if (name == "{") {
      const std::size_t close = std::min(text_.find('}', at_), text_.size());
      name = text_.substr(at_, close - at_);
      at_ = close + 1;
    }
    if (name.starts_with('^')) {
      negated = !negated;
      name.remove_prefix(1);
    }
    Property property = find_property(name);
    property.negated = negated;
    if (property.kind == Property::Kind::kNone) {
      at_ = begin;
      return false;
    }
    set.properties.push_back(std::move(property));
    return true;
  }

  Result<Regex> bracket() {
    const std::size_t begin = at_++;
    Regex node = make_node(Kind::kClass);
    CharClass& set = node.set;
    set.fold = flags_.fold;
    set.negated = take("^");
    for (bool first = true; ended() || first || !next_is("]"); first = false) {
      if (ended()) {
        at_ = begin;
        return wrong("'[' is not closed: write \\[ for the character");
      }
      if (next_is("[:") && text_.find(":]", at_) != text_.npos) {
        at_ += 2;
        const bool negated = take("^");
        const std::size_t close = text_.find(":]", at_);
        const auto& ranges = posix_ranges(text_.substr(at_, close - at_));
        const auto added = negated ? others(ranges) : ranges;
        set.ranges.insert(set.ranges.end(), added.begin(), added.end());
        at_ = close + 2;
        continue;
      }
      if (next_is("\\")) {
        ++at_;
        if (class_escape(set)) continue;
        --at_;
      }
      RAGLINE_TRY(const char32_t low, bound());
      char32_t high = low;
      if (next_is("-") && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
        ++at_;
        RAGLINE_TRY(high, bound());
      }
      set.ranges.push_back({low, high});
    }
    ++at_;
    return node;
  }

  Result<char32_t> bound() {
    if (!next_is("\\")) return next_code_point(text_, at_);
    const auto found = character_escape();
    if (!found) return wrong("an unknown escape");
    return *found;
  }

  std::set<std::string> names_;  // of groups
  std::string_view text_;
  const SyntaxOptions& options_;
  Flags flags_;
  std::size_t at_ = 0;
};

}  // namespace

Result<Regex> parse_regex(std::string_view pattern, const SyntaxOptions& options) {
  if (!is_valid_utf8(pattern))
    return fail(ErrorKind::kUsage, "the pattern is not UTF-8: give it in UTF-8, or bytes as \\x{..} code points");
  if (options.fixed) {
    if (!options.multiline && pattern.find('\n') != pattern.npos)
      return fail(ErrorKind::kUsage, "the pattern holds a line end, which no line does: give each line with its own -e, or use -U");
    return make_literal(pattern, options.fold);
  }
  RAGLINE_CHECK(check_re2_syntax(pattern));
  if (const auto any_byte = pattern.find("\\C"); any_byte != pattern.npos && (any_byte == 0 || pattern[any_byte - 1] != '\\'))
    return fail(ErrorKind::kUsage, cat("at ", any_byte + 1, ": \\C matches half characters: use . instead"));
  return Parser(pattern, options).parse();
}

}  // namespace ragline
