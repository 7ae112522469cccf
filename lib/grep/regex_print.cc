// A tree as text for the engines. Every group is written (?:..), so that no precedence needs a thought.
#include <algorithm>
#include <map>

#include "core/text.h"
#include "core/utf8.h"
#include "grep/regex.h"

namespace ragline {

namespace {

using Kind = Regex::Kind;

void append_byte(std::string& out, unsigned byte) { append(out, "\\x", hex(byte, 2)); }

void append_code_point(std::string& out, char32_t code_point) {
  append(out, "\\x{", hex(static_cast<std::uint64_t>(code_point), code_point > 0xFFFF ? 6 : 4), "}");
}

void append_range(std::string& out, unsigned first, unsigned last) {
  append_byte(out, first);
  if (last == first) return;
  out += '-';
  append_byte(out, last);
}

// The items of a bracket for the members of `set`.
std::string ascii_items(const std::bitset<128>& set) {
  std::string out;
  for (unsigned first = 0; first < 128; ++first) {
    if (!set[first]) continue;
    unsigned last = first;
    while (last + 1 < 128 && set[last + 1]) ++last;
    append_range(out, first, last);
    first = last;
  }
  return out;
}

void append_repeat(std::string& out, const Regex& node) {
  if (node.least == 0 && node.most == 1) {
    out += '?';
  } else if (node.most < 0 && node.least < 2) {
    out += node.least == 0 ? '*' : '+';
  } else {
    append(out, "{", node.least);
    if (node.most != node.least) out += ',';
    if (node.most > node.least) append(out, node.most);
    out += '}';
  }
  if (!node.greedy) out += '?';
}

// What all three printers do alike; a printer says what leaves look like.
template <class Printer>
void print(std::string& out, const Regex& node, const Printer& printer) {
  switch (node.kind) {
    case Kind::kEmpty: out += "(?:)"; return;
    case Kind::kConcat:
      for (const Regex& child : node.children) print(out, child, printer);
      return;
    case Kind::kAlternate:
      out += "(?:";
      for (const Regex& child : node.children) {
        if (&child != &node.children[0]) out += '|';
        print(out, child, printer);
      }
      out += ')';
      return;
    case Kind::kRepeat:
      if (printer.repeat(out, node)) return;
      out += "(?:";
      print(out, node.children[0], printer);
      out += ')';
      append_repeat(out, node);
      return;
    case Kind::kCapture:
      if (!printer.captures) {
        out += "(?:";
      } else if (node.name.empty()) {
        out += '(';
      } else {
        append(out, "(?P<", node.name, ">");
      }
      print(out, node.children[0], printer);
      out += ')';
      return;
    default: printer.leaf(out, node);
  }
}

// ---- RE2 on lines of ASCII

constexpr std::string_view kNothing = "[^\\x00-\\xff]";

struct AsciiPrinter {
  bool captures;

  bool repeat(std::string&, const Regex&) const { return false; }
  void leaf(std::string& out, const Regex& node) const {
    switch (node.kind) {
      case Kind::kLiteral: {
        std::bitset<128> set;
        if (node.code_point < 128) set.set(node.code_point);
        if (node.fold)
          for (const char32_t c : fold_orbit(node.code_point))
            if (c < 128) set.set(c);
        bracket(out, set);
        return;
      }
      case Kind::kClass: bracket(out, node.set.ascii()); return;
      case Kind::kAny:
      case Kind::kDot: out += "[\\x00-\\x7f]"; return;
      case Kind::kLineStart:
      case Kind::kTextStart: out += '^'; return;
      case Kind::kLineEnd:
      case Kind::kTextEnd: out += '$'; return;
      case Kind::kBoundary: out += "\\b"; return;
      case Kind::kNotBoundary: out += "\\B"; return;
      case Kind::kWordStart:
      case Kind::kWordEnd: out += "(?:)"; return;  // the line matcher looks at the neighbours
      default: return;
    }
  }
  static void bracket(std::string& out, const std::bitset<128>& set) {
    if (set.none()) {
      out += kNothing;
    } else {
      append(out, "[", ascii_items(set), "]");
    }
  }
};

// ---- RE2 on UTF-8

constexpr std::string_view kWordItems =
    "\\pL\\pM\\p{Nd}\\p{Nl}\\p{Pc}\\x{24B6}-\\x{24E9}\\x{1F130}-\\x{1F149}\\x{1F150}-\\x{1F169}\\x{1F170}-\\x{1F189}"
    "\\x{200C}\\x{200D}";

// A class that RE2 cannot write down as a union, as [^\W_], member by member.
std::string resolved_items(const CharClass& set) {
  std::string out;
  for (char32_t first = 0; first <= 0x10FFFF; ++first) {
    if (!set.accepts(first)) continue;
    char32_t last = first;
    while (last < 0x10FFFF && set.accepts(last + 1)) ++last;
    append_code_point(out, first);
    out += '-';
    append_code_point(out, last);
    first = last;
  }
  return out;
}

void append_unicode_class(std::string& out, const CharClass& set) {
  const bool only_not_word = set.not_word && !set.word && set.ranges.empty() && set.properties.empty();
  if (set.not_word && !only_not_word) {
    const std::string items = resolved_items(set);
    append(out, "[", items.empty() ? "^\\x{0}-\\x{10FFFF}" : items, "]");
    return;
  }
  append(out, set.fold ? "(?i:[" : "[", set.negated != only_not_word ? "^" : "");
  if (set.word || only_not_word) out += kWordItems;
  for (const Property& property : set.properties) append(out, property.negated ? "\\P{" : "\\p{", property.name, "}");
  for (const CodeRange& range : set.ranges) {
    append_code_point(out, range.first);
    out += '-';
    append_code_point(out, range.last);
  }
  out += set.fold ? "])" : "]";
}

struct UnicodePrinter {
  bool captures;
  bool multiline = false;
  bool superset = false;

  bool repeat(std::string&, const Regex&) const { return false; }
  void leaf(std::string& out, const Regex& node) const {
    switch (node.kind) {
      case Kind::kLiteral:
        if (node.fold) out += "(?i:";
        append_code_point(out, node.code_point);
        if (node.fold) out += ')';
        return;
      case Kind::kClass: append_unicode_class(out, node.set); return;
      case Kind::kAny: out += multiline ? "(?s:.)" : "."; return;
      case Kind::kDot: out += '.'; return;
      case Kind::kLineStart: out += '^'; return;
      case Kind::kLineEnd: out += superset ? "(?:\\r?$)" : "$"; return;
      case Kind::kTextStart: out += superset ? "^" : "\\A"; return;
      case Kind::kTextEnd: out += superset ? "(?:\\r?$)" : "\\z"; return;
      case Kind::kBoundary: out += superset ? "(?:)" : "\\b"; return;
      case Kind::kNotBoundary: out += superset ? "(?:)" : "\\B"; return;
      case Kind::kWordStart:
      case Kind::kWordEnd: out += "(?:)"; return;
      default: return;
    }
  }
};

// ---- Hyperscan on bytes

// UTF-8 of one code point above U+007F: its first two bytes, by first byte.
using Leads = std::map<unsigned, std::bitset<256>>;

Leads leads_of(const CharClass& set) {
  Leads leads;
  for (char32_t c = 0x80; c <= 0x10FFFF; ++c) {
    if (c == 0xD800) c = 0xE000;
    if (!set.accepts(c)) continue;
    std::string bytes;
    append_utf8(bytes, c);
    leads[static_cast<unsigned char>(bytes[0])].set(static_cast<unsigned char>(bytes[1]));
  }
  return leads;
}

struct BytePrinter {
  static constexpr bool captures = false;
  ByteRegex& result;
  ByteReach reach;

  // x* of a class needs no count of bytes.
  bool repeat(std::string& out, const Regex& node) const {
    const Regex& child = node.children[0];
    const bool is_class = child.kind == Kind::kClass || child.kind == Kind::kAny || child.kind == Kind::kDot;
    if (!is_class || node.most >= 0 || node.least > 1) return false;
    std::bitset<128> set = members(child);
    if (!beyond(child) || reach == ByteReach::kAsciiLines) return false;
    result.exact = false;
    append(out, "[", ascii_items(set), "\\x80-\\xff]");
    append_repeat(out, node);
    return true;
  }

  void leaf(std::string& out, const Regex& node) const {
    switch (node.kind) {
      case Kind::kLiteral: literal(out, node); return;
      case Kind::kClass:
      case Kind::kAny:
      case Kind::kDot: characters(out, node); return;
      case Kind::kLineStart:
      case Kind::kTextStart: out += '^'; return;
      case Kind::kLineEnd:
      case Kind::kTextEnd: out += "\\r?$"; return;
      case Kind::kBoundary:
      case Kind::kNotBoundary:
        result.exact = result.ascii_exact = false;
        out += "(?:)";
        return;
      case Kind::kWordStart:
        result.exact = false;
        out += "(?:^|[^0-9A-Za-z_\\n])";
        return;
      case Kind::kWordEnd:
        result.exact = false;
        out += "(?:$|[^0-9A-Za-z_\\n])";
        return;
      default: return;
    }
  }

  static std::bitset<128> members(const Regex& node) {
    std::bitset<128> set;
    if (node.kind == Kind::kClass) {
      set = node.set.ascii();
    } else {
      set.set();
    }
    set.reset('\n');
    return set;
  }
  static bool beyond(const Regex& node) { return node.kind != Kind::kClass || node.set.beyond_ascii(); }

  void characters(std::string& out, const Regex& node) const {
    const std::bitset<128> set = members(node);
    if (!beyond(node)) {
      append(out, "[", ascii_items(set), "]");
      return;
    }
    result.exact = false;
    if (set.any() && reach == ByteReach::kAsciiLines) {
      result.covers_all = false;
      append(out, "[", ascii_items(set), "]");
      return;
    }
    if (set.any()) {
      append(out, "(?:[", ascii_items(set), "\\xc2-\\xf4][\\x80-\\xbf]*)");
      return;
    }
    out += "(?:";
    const Leads leads = leads_of(node.set);
    for (const auto& [lead, seconds] : leads) {
      if (lead != leads.begin()->first) out += '|';
      append_byte(out, lead);
      out += '[';
      for (unsigned byte = 0x80; byte < 0xC0; ++byte)
        if (seconds[byte]) append_byte(out, byte);
      out += ']';
    }
    out += "[\\x80-\\xbf]*)";
    if (leads.empty()) out.replace(out.rfind("(?:"), out.npos, "\\xff\\xff");
  }

  static void literal(std::string& out, const Regex& node) {
    const std::vector<char32_t> orbit = node.fold ? fold_orbit(node.code_point) : std::vector<char32_t>{node.code_point};
    std::string narrow;
    std::vector<std::string> choices;
    for (const char32_t c : orbit) {
      std::string bytes, text;
      append_utf8(bytes, c);
      for (const char byte : bytes) append_byte(text, static_cast<unsigned char>(byte));
      if (c < 0x80) {
        narrow += text;
      } else {
        choices.push_back(std::move(text));
      }
    }
    if (!narrow.empty()) choices.insert(choices.begin(), narrow.size() > 4 ? cat("[", narrow, "]") : narrow);
    if (choices.size() > 1) out += "(?:";
    for (std::size_t i = 0; i < choices.size(); ++i) append(out, i ? "|" : "", choices[i]);
    if (choices.size() > 1) out += ')';
  }
};

}  // namespace

std::string re2_ascii(const Regex& regex, bool captures) {
  std::string out;
  print(out, regex, AsciiPrinter{captures});
  return out;
}

std::string re2_unicode(const Regex& regex, bool captures, bool multiline) {
  std::string out = multiline ? "(?m)" : "";
  print(out, regex, UnicodePrinter{.captures = captures, .multiline = multiline});
  return out;
}

std::string re2_superset(const Regex& regex) {
  std::string out = "(?m)";
  print(out, regex, UnicodePrinter{.captures = false, .superset = true});
  return out;
}

ByteRegex byte_regex(const Regex& regex, ByteReach reach) {
  ByteRegex result;
  std::string out;
  print(out, regex, BytePrinter{result, reach});
  result.text = std::move(out);
  return result;
}

}  // namespace ragline
