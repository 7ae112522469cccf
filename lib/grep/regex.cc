#include "grep/regex.h"

#include <algorithm>

#include "core/utf8.h"

namespace ragline {

using Kind = Regex::Kind;

bool CharClass::holds(char32_t code_point) const {
  for (const CodeRange& range : ranges)
    if (code_point >= range.first && code_point <= range.last) return true;
  for (const Property& property : properties)
    if (has_property(code_point, property)) return true;
  return (word || not_word) && (is_word_character(code_point) ? word : not_word);
}

bool CharClass::accepts(char32_t code_point) const {
  bool found = holds(code_point);
  if (!found && fold)
    for (const char32_t other : fold_orbit(code_point)) found = found || holds(other);
  return found != negated;
}

std::bitset<128> CharClass::ascii() const {
  std::bitset<128> set;
  for (char32_t c = 0; c < 128; ++c) set[c] = accepts(c);
  return set;
}

bool CharClass::beyond_ascii() const {
  if (negated || !properties.empty() || word || not_word) return true;
  if (std::ranges::any_of(ranges, [](const CodeRange& range) { return range.last >= 0x80; })) return true;
  return fold && (holds('k') || holds('K') || holds('s') || holds('S'));
}

std::optional<std::string> Regex::literal() const {
  if (kind == Kind::kCapture) return children[0].literal();
  std::string text;
  if (kind == Kind::kEmpty) return text;
  if (kind == Kind::kLiteral && !fold) {
    append_utf8(text, code_point);
    return text;
  }
  if (kind != Kind::kConcat) return std::nullopt;
  for (const Regex& child : children) {
    const auto part = child.literal();
    if (!part) return std::nullopt;
    text += *part;
  }
  return text;
}

std::optional<std::string> Regex::folded_literal() const {
  if (kind == Kind::kCapture) return children[0].folded_literal();
  std::string text;
  if (kind == Kind::kEmpty) return text;
  if (kind == Kind::kLiteral && code_point < 0x80) {
    const bool letter = (code_point | 0x20) >= 'a' && (code_point | 0x20) <= 'z';
    if (letter && !fold) return std::nullopt;
    return std::string(1, static_cast<char>(letter ? code_point | 0x20 : code_point));
  }
  if (kind != Kind::kConcat) return std::nullopt;
  for (const Regex& child : children) {
    const auto part = child.folded_literal();
    if (!part) return std::nullopt;
    text += *part;
  }
  return text;
}

bool Regex::can_match_empty() const {
  auto empty = [](const Regex& child) { return child.can_match_empty(); };
  switch (kind) {
    case Kind::kLiteral:
    case Kind::kClass:
    case Kind::kAny:
    case Kind::kDot: return false;
    case Kind::kAlternate: return std::ranges::any_of(children, empty);
    case Kind::kRepeat: return least == 0 || children[0].can_match_empty();
    default: return std::ranges::all_of(children, empty);
  }
}

bool Regex::has_boundary() const {
  if (kind == Kind::kBoundary || kind == Kind::kNotBoundary || kind == Kind::kWordStart || kind == Kind::kWordEnd) return true;
  return std::ranges::any_of(children, [](const Regex& child) { return child.has_boundary(); });
}

bool Regex::holds_upper_case() const {
  if (kind == Kind::kLiteral) {
    static const Property kUpper = find_property("Lu");
    return has_property(code_point, kUpper);
  }
  return std::ranges::any_of(children, [](const Regex& child) { return child.holds_upper_case(); });
}

std::size_t Regex::size() const {
  std::size_t total = 1;
  for (const Regex& child : children) total += child.size();
  if (kind == Kind::kRepeat) total *= static_cast<std::size_t>(std::max({most, least, 1}));
  return total;
}

namespace {

// The longest run of literals that every match of the node holds; `run` is the one that its end is in.
void measure_runs(const Regex& node, std::size_t& run, std::size_t& longest) {
  if (node.kind == Kind::kLiteral) {
    longest = std::max(longest, ++run);
  } else if (node.kind == Kind::kConcat || node.kind == Kind::kCapture) {
    for (const Regex& child : node.children) measure_runs(child, run, longest);
  } else if (node.kind == Kind::kAlternate) {
    std::size_t least = SIZE_MAX;
    for (const Regex& child : node.children) {
      std::size_t its_run = 0, its_longest = 0;
      measure_runs(child, its_run, its_longest);
      least = std::min(least, its_longest);
    }
    longest = std::max(longest, least);
    run = 0;
  } else if (node.kind == Kind::kRepeat && node.least > 0) {
    run = 0;
    measure_runs(node.children[0], run, longest);
    run = 0;
  } else if (node.kind == Kind::kRepeat || node.kind == Kind::kClass || node.kind == Kind::kAny || node.kind == Kind::kDot) {
    run = 0;
  }
}

}  // namespace

bool has_long_literal(const Regex& regex) {
  std::size_t run = 0, longest = 0;
  measure_runs(regex, run, longest);
  return longest >= 3;
}

Regex make_node(Kind kind) {
  Regex node;
  node.kind = kind;
  return node;
}

Regex make_list(Kind kind, std::vector<Regex> children) {
  Regex node = make_node(children.empty() ? Kind::kEmpty : kind);
  node.children = std::move(children);
  return node;
}

Regex make_literal(std::string_view text, bool fold) {
  std::vector<Regex> parts;
  for (std::size_t at = 0; at < text.size();) {
    Regex part = make_node(Kind::kLiteral);
    part.code_point = next_code_point(text, at);
    part.fold = fold;
    parts.push_back(std::move(part));
  }
  return make_list(Kind::kConcat, std::move(parts));
}

namespace {

Regex between(Kind before, Regex regex, Kind behind) {
  std::vector<Regex> parts;
  parts.push_back(make_node(before));
  parts.push_back(std::move(regex));
  parts.push_back(make_node(behind));
  return make_list(Kind::kConcat, std::move(parts));
}

}  // namespace

Regex whole_words(Regex regex) { return between(Kind::kWordStart, std::move(regex), Kind::kWordEnd); }
Regex whole_lines(Regex regex) { return between(Kind::kLineStart, std::move(regex), Kind::kLineEnd); }

}  // namespace ragline
