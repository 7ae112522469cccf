// One gitignore pattern, matched by backtracking that never goes further back than one star.
//
// Within a component only the last '*' needs a second chance: an earlier one that took more would only reach, later,
// the point where the last one stands already. The same holds one level up for '**/', whose pieces cover whole
// components, and a '*' is forgotten at the next '/' because it cannot cross it. So 'a*a*a*a*b' against 'aaaa…' costs
// pattern × path, where the usual recursion is exponential. The meaning is git's wildmatch with WM_PATHNAME:
// tests/unit/corpus/glob_test.cc has the recursive twin, ignore_test.cc asks `git check-ignore`.
#include <optional>

#include "corpus/glob.h"

namespace ragline {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// A POSIX class in the C locale, or nullopt for a name that there is none of.
std::optional<std::bitset<256>> named_set(std::string_view name) {
  struct Named {
    std::string_view name;
    bool (*holds)(int);
  };
  static constexpr auto digit = [](int c) { return c >= '0' && c <= '9'; };
  static constexpr auto upper = [](int c) { return c >= 'A' && c <= 'Z'; };
  static constexpr auto lower = [](int c) { return c >= 'a' && c <= 'z'; };
  static constexpr auto graph = [](int c) { return c > ' ' && c < 127; };
  static constexpr auto alnum = [](int c) { return digit(c) || upper(c) || lower(c); };
  static constexpr Named kNames[] = {
      {"alnum", [](int c) { return alnum(c); }},
      {"alpha", [](int c) { return upper(c) || lower(c); }},
      {"blank", [](int c) { return c == ' ' || c == '\t'; }},
      {"cntrl", [](int c) { return c < ' ' || c == 127; }},
      {"digit", [](int c) { return digit(c); }},
      {"graph", [](int c) { return graph(c); }},
      {"lower", [](int c) { return lower(c); }},
      {"print", [](int c) { return c == ' ' || graph(c); }},
      {"punct", [](int c) { return graph(c) && !alnum(c); }},
      {"space", [](int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }},
      {"upper", [](int c) { return upper(c); }},
      {"xdigit", [](int c) { return digit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'); }},
  };
  for (const Named& named : kNames) {
    if (named.name != name) continue;
    std::bitset<256> set;
    for (int c = 0; c < 256; ++c) set[static_cast<std::size_t>(c)] = named.holds(c);
    return set;
  }
  return std::nullopt;
}

}  // namespace

GlobPattern::GlobPattern(std::string_view pattern) {
  if (pattern.ends_with('/')) {
    directories_only_ = true;
    pattern.remove_suffix(1);
  }
  anchored_ = pattern.find('/') != pattern.npos;
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  const bool valid = !pattern.empty() && compile(pattern);
  // What needs no machine gives up its elements: an ignore file may have thousands of rules.
  const bool star_first = !elements_.empty() && elements_[0].kind == Kind::kStar;
  bool literal = true;
  for (std::size_t i = star_first; i < elements_.size(); ++i) {
    literal = literal && elements_[i].kind == Kind::kByte;
    text_ += static_cast<char>(elements_[i].byte);
  }
  if (!valid) {
    shape_ = Shape::kNever;
  } else if (literal && !star_first) {
    shape_ = Shape::kLiteral;
  } else if (literal && !anchored_) {
    shape_ = Shape::kSuffix;
  } else {
    text_.clear();
    elements_.shrink_to_fit();
    return;
  }
  std::vector<Element>().swap(elements_);
}

bool GlobPattern::compile(std::string_view pattern) {
  const std::size_t head = anchored_ ? pattern.find_first_of("*?[\\") : kNone;
  for (std::size_t at = 0; at < pattern.size();) {
    const char c = pattern[at];
    if (c == '*') {
      const std::size_t begin = at;
      while (at < pattern.size() && pattern[at] == '*') ++at;
      const std::string_view after = pattern.substr(at);
      const bool slash = after.starts_with('/'), escaped = after.starts_with("\\/");
      const bool whole = at - begin > 1 && (begin == 0 || begin == head || pattern[begin - 1] == '/') &&
                         (after.empty() || slash || escaped);
      elements_.push_back({!whole          ? Kind::kStar
                           : after.empty() ? Kind::kRest
                           : slash         ? Kind::kDirectories
                                           : Kind::kDeeper});
      if (whole) at += slash ? 1 : escaped ? 2 : 0;
    } else if (c == '?') {
      elements_.push_back({Kind::kAny});
      ++at;
    } else if (c == '[') {
      if (!compile_set(pattern, at)) return false;
    } else {
      if (c == '\\' && ++at == pattern.size()) return false;
      elements_.push_back({Kind::kByte, static_cast<unsigned char>(pattern[at++])});
    }
  }
  return true;
}

// pattern[at] is '['; leaves `at` behind the ']'. A ']' or '-' that comes first is itself.
bool GlobPattern::compile_set(std::string_view pattern, std::size_t& at) {
  std::bitset<256> set;
  auto byte = [&] { return static_cast<unsigned char>(pattern[at]); };
  ++at;
  const bool negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
  if (negated) ++at;
  std::optional<unsigned char> low;  // what a '-' would count from: not a range or a named set
  for (bool first = true; at >= pattern.size() || pattern[at] != ']' || first; first = false) {
    if (at >= pattern.size()) return false;
    if (pattern[at] == '-' && low && at + 1 < pattern.size() && pattern[at + 1] != ']') {
      ++at;
      if (pattern[at] == '\\' && ++at == pattern.size()) return false;
      for (unsigned c = *low; c <= byte(); ++c) set.set(c);
      low.reset();
    } else if (pattern.substr(at).starts_with("[:")) {
      const std::size_t close = pattern.find(']', at + 2);
      if (close == pattern.npos) return false;
      if (close == at + 2 || pattern[close - 1] != ':') {
        low = '[';
        set.set('[');
      } else {
        const auto named = named_set(pattern.substr(at + 2, close - 1 - (at + 2)));
        if (!named) return false;
        set |= *named;
        low.reset();
        at = close;
      }
    } else {
      if (pattern[at] == '\\' && ++at == pattern.size()) return false;
      set.set(byte());
      low = byte();
    }
    ++at;
  }
  ++at;
  if (negated) set.flip();
  set.reset('/');
  elements_.push_back({Kind::kSet, 0, static_cast<std::uint32_t>(sets_.size())});
  sets_.push_back(set);
  return true;
}

bool GlobPattern::matches(std::string_view path) const {
  const std::size_t slash = path.rfind('/');
  return matches(path, slash == path.npos ? path : path.substr(slash + 1));
}

bool GlobPattern::matches(std::string_view path, std::string_view name) const {
  const std::string_view subject = anchored_ ? path : name;
  switch (shape_) {
    case Shape::kLiteral: return subject == text_;
    case Shape::kSuffix: return subject.ends_with(text_);
    case Shape::kGeneral: return run(subject);
    case Shape::kNever: break;
  }
  return false;
}

bool GlobPattern::accepts(const Element& element, unsigned char byte) const {
  switch (element.kind) {
    case Kind::kByte: return byte == element.byte;
    case Kind::kAny: return byte != '/';
    case Kind::kSet: return sets_[element.set].test(byte);
    default: return false;
  }
}

bool GlobPattern::run(std::string_view text) const {
  std::size_t element = 0, at = 0;
  std::size_t star = kNone, star_at = 0;                // resume after the last '*', which ends at star_at
  std::size_t directories = kNone, directories_at = 0;  // resume after the last '**/', a component begins there
  auto deeper = [&] {
    const std::size_t slash = text.find('/', directories_at);
    if (slash == text.npos) return false;
    at = directories_at = slash + 1;
    element = directories;
    star = kNone;
    return true;
  };
  while (element < elements_.size() || at < text.size()) {
    if (element < elements_.size()) {
      const Element& now = elements_[element];
      if (now.kind == Kind::kRest) return true;
      if (now.kind == Kind::kStar) {
        star = ++element;
        star_at = at;
        continue;
      }
      if (now.kind == Kind::kDirectories || now.kind == Kind::kDeeper) {
        directories = ++element;
        directories_at = at;
        star = kNone;
        // 'a/**\/b' is git's way to ask for one directory at least.
        if (now.kind == Kind::kDeeper && !deeper()) return false;
        continue;
      }
      if (at < text.size() && accepts(now, static_cast<unsigned char>(text[at]))) {
        if (text[at] == '/') star = kNone;
        ++element;
        ++at;
        continue;
      }
    }
    if (star != kNone && star_at < text.size() && text[star_at] != '/') {
      at = ++star_at;
      element = star;
    } else if (directories == kNone || !deeper()) {
      return false;
    }
  }
  return true;
}

}  // namespace ragline
