#include "corpus/front_matter.h"

#include <algorithm>
#include <vector>

#include "analysis/language.h"
#include "core/text.h"
#include "core/utf8.h"
#include "corpus/lines.h"
#include "record/writer.h"

namespace ragline {

namespace {

constexpr std::size_t kMaxSize = 16 << 10;

struct Value {
  enum class Kind {
    kNull,
    kString,
    kPlain,
    kList,
    kMap
  } kind = Kind::kNull;      // kPlain: a number or boolean
  std::string text;          // of a string or plain scalar
  std::vector<Value> items;  // of a list; of a map, beside `keys`
  std::vector<std::string> keys;
};

std::string to_json(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kNull:
      return "null";
    case Value::Kind::kString:
      return json_string(value.text);
    case Value::Kind::kPlain:
      return value.text;
    case Value::Kind::kList:
      break;
    case Value::Kind::kMap:
      break;
  }
  const bool map = value.kind == Value::Kind::kMap;
  std::string out(1, map ? '{' : '[');
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    if (i) out += ',';
    if (map) append(out, json_string(value.keys[i]), ':');
    out += to_json(value.items[i]);  // items of items are scalars: the parser nests no deeper
  }
  return out + (map ? '}' : ']');
}

Value string_value(std::string text) {
  Value value;
  value.kind = Value::Kind::kString;
  value.text = std::move(text);
  return value;
}

// JSON's grammar of numbers, so that the text can be written as it stands.
bool is_json_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || !is_ascii_digit(text[0]) || text.size() > 30) return false;
  if (text[0] == '0' && text.size() > 1 && text[1] != '.') return false;
  const auto dot = text.find('.');
  if (dot + 1 == text.size()) return false;
  return std::ranges::all_of(text.substr(0, dot), is_ascii_digit) &&
         (dot == text.npos || std::ranges::all_of(text.substr(dot + 1), is_ascii_digit));
}

// The quoted string at the start of `text`, which is advanced behind it; nullopt when it is not
// closed.
std::optional<std::string> take_quoted(std::string_view& text) {
  const char quote = text[0];
  std::string out;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    if (c == quote) {
      if (quote == '\'' && i + 1 < text.size() && text[i + 1] == '\'') {
        out += text[++i];
        continue;
      }
      text.remove_prefix(i + 1);
      return out;
    }
    if (c == '\\' && quote == '"' && i + 1 < text.size()) {
      const char escaped = text[++i];
      out += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
    } else {
      out += c;
    }
  }
  return std::nullopt;
}

// "a # comment" -> "a".
std::string_view without_comment(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '#' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t'))
      return trim(text.substr(0, i));
  return trim(text);
}

Value plain_value(std::string_view text) {
  Value value;
  if (text.empty() || text == "~" || text == "null") return value;
  const bool plain = text == "true" || text == "false" || is_json_number(text);
  value.kind = plain ? Value::Kind::kPlain : Value::Kind::kString;
  value.text = text;
  return value;
}

std::optional<Value> scalar(std::string_view text) {
  text = trim(text);
  if (!text.empty() && (text[0] == '"' || text[0] == '\'')) {
    auto quoted = take_quoted(text);
    if (!quoted || !without_comment(text).empty()) return std::nullopt;
    return string_value(std::move(*quoted));
  }
  return plain_value(without_comment(text));
}

// "[a, 'b, c', 3]"; nullopt when it is not closed on its line.
std::optional<Value> flow_list(std::string_view text) {
  Value list;
  list.kind = Value::Kind::kList;
  text = trim(text.substr(1));
  while (!text.empty() && text[0] != ']') {
    if (text[0] == '"' || text[0] == '\'') {
      auto quoted = take_quoted(text);
      if (!quoted) return std::nullopt;
      list.items.push_back(string_value(std::move(*quoted)));
    } else {
      const std::string_view item = text.substr(0, text.find_first_of(",]"));
      list.items.push_back(plain_value(trim(item)));
      text.remove_prefix(item.size());
    }
    text = trim(text);
    if (text.starts_with(','))
      text = trim(text.substr(1));
    else if (!text.starts_with(']'))
      return std::nullopt;
  }
  if (text.empty() || !without_comment(text.substr(1)).empty()) return std::nullopt;
  return list;
}

std::optional<Value> inline_value(std::string_view text) {
  text = trim(text);
  return text.starts_with('[') ? flow_list(text) : scalar(text);
}

// "key: rest", with a quoted or plain key.
std::optional<std::pair<std::string, std::string_view>> key_of(std::string_view line) {
  std::string key;
  if (!line.empty() && (line[0] == '"' || line[0] == '\'')) {
    auto quoted = take_quoted(line);
    if (!quoted || !line.starts_with(':')) return std::nullopt;
    key = std::move(*quoted);
    line.remove_prefix(1);
  } else {
    std::size_t colon = 0;  // the first that ends the line or stands before white space
    do {
      colon = line.find(':', colon);
      if (colon == line.npos) return std::nullopt;
      ++colon;
    } while (colon < line.size() && line[colon] != ' ' && line[colon] != '\t');
    key = trim(line.substr(0, colon - 1));
    line.remove_prefix(colon);
  }
  if (key.empty() || key[0] == '-' || key[0] == '{' || key[0] == '[') return std::nullopt;
  return std::pair(std::move(key), line);
}

// The lines below "key:" (or "key: |"), up to the next line that is not indented and no list item.
class Below {
 public:
  explicit Below(std::vector<std::string_view> lines) : lines_(std::move(lines)) {}

  std::optional<Value> value() const {
    const auto first = std::ranges::find_if(lines_, [](auto line) { return !is_blank(line); });
    if (first == lines_.end()) return Value{};
    if (trim(*first).starts_with("- ") || trim(*first) == "-") return list();
    if (auto map_value = map()) return map_value;
    return string_value(folded(' '));
  }
  std::string folded(char joint) const {
    std::string out;
    for (std::string_view line : lines_) {
      if (!out.empty()) out += joint;
      out += trim(line);
    }
    return std::string(trim(out));
  }

 private:
  std::optional<Value> list() const {
    Value out;
    out.kind = Value::Kind::kList;
    for (std::string_view line : lines_) {
      line = trim(line);
      if (line.empty() || line[0] == '#') continue;
      if (line == "-" || line.starts_with("- ")) {
        auto item = inline_value(line.substr(1));
        if (!item) return std::nullopt;
        if (item->kind == Value::Kind::kList)
          item = string_value(std::string(trim(line.substr(1))));
        out.items.push_back(std::move(*item));
      } else if (!out.items.empty()) {  // more of a nested item
        out.items.back() = string_value(cat(out.items.back().text, " ", line));
      }
    }
    return out;
  }
  std::optional<Value> map() const {
    Value out;
    out.kind = Value::Kind::kMap;
    std::size_t columns = 0;
    for (std::string_view line : lines_) {
      const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
      if (is_blank(line) || line[indent] == '#') continue;
      if (out.items.empty()) columns = indent;
      const auto pair = indent == columns ? key_of(trim(line)) : std::nullopt;
      if (!pair) return std::nullopt;
      auto item = scalar(pair->second);
      if (!item) return std::nullopt;
      out.keys.push_back(pair->first);
      out.items.push_back(std::move(*item));
    }
    return out;
  }

  std::vector<std::string_view> lines_;
};

std::vector<std::string> strings_of(const Value& value) {
  std::vector<std::string> out;
  if (value.kind == Value::Kind::kString || value.kind == Value::Kind::kPlain)
    out.push_back(value.text);
  if (value.kind == Value::Kind::kList)
    for (const Value& item : value.items) out.push_back(item.text);
  return out;
}

// Takes a key that has a field of its own; false for ordinary metadata.
bool take_field(FrontMatter& out, const std::string& key, const Value& value, bool trust_labels) {
  const bool is_text = value.kind == Value::Kind::kString || value.kind == Value::Kind::kPlain;
  if (key == "title" && is_text) {
    out.title = value.text.substr(0, utf8_floor(value.text, 512));
  } else if ((key == "lang" || key == "language") && is_text && language_from_code(value.text)) {
    out.language = language_code(*language_from_code(value.text));
  } else if (trust_labels && key == "tenant") {
    out.governance.tenant = value.text;
  } else if (trust_labels && key == "acl") {
    out.governance.acl = strings_of(value);
  } else if (trust_labels && key == "effective_from") {
    out.governance.effective_from = value.text;
  } else if (trust_labels && key == "effective_to") {
    out.governance.effective_to = value.text;
  } else {
    return false;
  }
  return true;
}

// The lines between the fences; nullopt when there are no fences.
std::optional<std::vector<std::string_view>> fenced_lines(std::string_view text,
                                                          std::size_t& size) {
  if (!text.starts_with("---")) return std::nullopt;
  const std::string_view head = text.substr(0, kMaxSize);
  TextLine line = line_at(head, 0);
  if (!is_blank(line.content(head).substr(3)) || line.end == head.size()) return std::nullopt;
  std::vector<std::string_view> lines;
  while (line.end < head.size()) {
    line = line_at(head, line.end);
    const std::string_view content = line.content(head);
    if ((content.starts_with("---") || content.starts_with("...")) && is_blank(content.substr(3))) {
      size = line.end;
      return lines;
    }
    lines.push_back(content);
  }
  return std::nullopt;
}

}  // namespace

std::optional<FrontMatter> parse_front_matter(std::string_view text, bool trust_labels) {
  FrontMatter out;
  const auto lines = fenced_lines(text, out.size);
  if (!lines) return std::nullopt;
  Value rest;
  rest.kind = Value::Kind::kMap;
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < lines->size();) {
    const std::string_view line = (*lines)[i++];
    if (is_blank(line) || line[0] == '#') continue;
    const auto pair = line[0] == ' ' || line[0] == '\t' ? std::nullopt : key_of(line);
    if (!pair || std::ranges::find(seen, pair->first) != seen.end()) return std::nullopt;
    seen.push_back(pair->first);

    std::vector<std::string_view> below;
    while (i < lines->size() && ((*lines)[i].empty() || (*lines)[i][0] == ' ' ||
                                 (*lines)[i][0] == '\t' || (*lines)[i][0] == '-'))
      below.push_back((*lines)[i++]);
    const bool nothing_below = std::ranges::all_of(below, is_blank);
    const std::string_view inline_text = without_comment(pair->second);
    std::optional<Value> value;
    if (!inline_text.empty() && (inline_text[0] == '|' || inline_text[0] == '>') &&
        inline_text.size() <= 3)
      value = string_value(Below(std::move(below)).folded(inline_text[0] == '|' ? '\n' : ' '));
    else if (inline_text.empty() && !nothing_below)
      value = Below(std::move(below)).value();
    else if (nothing_below)
      value = inline_value(pair->second);
    else  // a plain scalar that goes on below
      value = string_value(cat(inline_text, " ", Below(std::move(below)).folded(' ')));
    if (!value) return std::nullopt;
    if (take_field(out, pair->first, *value, trust_labels)) continue;
    rest.keys.push_back(pair->first);
    rest.items.push_back(std::move(*value));
  }
  if (seen.empty()) return std::nullopt;
  if (!rest.keys.empty()) out.metadata = to_json(rest);
  return out;
}

}  // namespace ragline
