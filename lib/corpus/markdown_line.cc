#include "corpus/markdown_line.h"

#include <algorithm>

#include "core/text.h"
#include "corpus/lines.h"

namespace ragline {

namespace {

// Elements whose tag starts an HTML block even inside a paragraph (CommonMark, start condition 6).
constexpr std::string_view kBlockElements[] = {
    "address",  "article",  "aside",    "base",       "basefont", "blockquote", "body",   "caption",
    "center",   "col",      "colgroup", "dd",         "details",  "dialog",     "dir",    "div",
    "dl",       "dt",       "fieldset", "figcaption", "figure",   "footer",     "form",   "frame",
    "frameset", "h1",       "h2",       "h3",         "h4",       "h5",         "h6",     "head",
    "header",   "hr",       "html",     "iframe",     "legend",   "li",         "link",   "main",
    "menu",     "menuitem", "nav",      "noframes",   "ol",       "optgroup",   "option", "p",
    "param",    "search",   "section",  "summary",    "table",    "tbody",      "td",     "tfoot",
    "th",       "thead",    "title",    "tr",         "track",    "ul"};

std::size_t run_of(std::string_view line, char mark) {
  return std::min(line.find_first_not_of(mark), line.size());
}

bool is_space(char c) { return c == ' ' || c == '\t'; }

}  // namespace

Indent indent_of(std::string_view line) {
  Indent indent;
  while (indent.bytes < line.size() && is_space(line[indent.bytes])) {
    indent.columns = line[indent.bytes] == '\t' ? (indent.columns / 4 + 1) * 4 : indent.columns + 1;
    ++indent.bytes;
  }
  return indent;
}

std::optional<int> atx_level(std::string_view line) {
  const std::size_t level = run_of(line, '#');
  if (level < 1 || level > 6 || (level < line.size() && !is_space(line[level])))
    return std::nullopt;
  return static_cast<int>(level);
}

std::string_view atx_text(std::string_view line) {
  std::string_view text = trim(line.substr(run_of(line, '#')));
  const auto last = text.find_last_not_of('#');
  if (last == text.npos) return {};
  if (last + 1 < text.size() && is_space(text[last])) text = trim(text.substr(0, last));
  return text;
}

std::string heading_title(std::string_view text) {
  text = trim(text.substr(0, 1024));  // titles are cut shorter than that anyway
  if (text.ends_with('}'))
    if (auto anchor = text.rfind("{#"); anchor != text.npos) text = trim(text.substr(0, anchor));
  std::string title;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '`' || c == '*' || c == '\r') continue;
    if (c == '[' || (c == '!' && text.substr(i + 1).starts_with('['))) continue;
    if (c == ']') {
      if (i + 1 < text.size() && text[i + 1] == '(')
        if (auto close = text.find(')', i); close != text.npos) i = close;
      continue;
    }
    if (c == '\\' && i + 1 < text.size() && !is_ascii_letter(text[i + 1]) &&
        !is_ascii_digit(text[i + 1]))
      ++i;
    title += text[i] == '\n' ? ' ' : text[i];
  }
  return title;
}

std::optional<Fence> opening_fence(std::string_view line) {
  if (line.empty() || (line[0] != '`' && line[0] != '~')) return std::nullopt;
  const Fence fence{line[0], run_of(line, line[0])};
  if (fence.length < 3) return std::nullopt;
  if (fence.mark == '`' && line.find('`', fence.length) != line.npos) return std::nullopt;
  return fence;
}

bool closes_fence(std::string_view line, Fence fence) {
  const std::size_t run = run_of(line, fence.mark);
  return run >= fence.length && is_blank(line.substr(run));
}

bool is_thematic_break(std::string_view line) {
  if (line.empty() || (line[0] != '*' && line[0] != '-' && line[0] != '_')) return false;
  std::size_t marks = 0;
  for (char c : line) {
    if (c == line[0])
      ++marks;
    else if (!is_space(c))
      return false;
  }
  return marks >= 3;
}

int setext_level(std::string_view line) {
  if (line.empty() || (line[0] != '=' && line[0] != '-')) return 0;
  if (!is_blank(line.substr(run_of(line, line[0])))) return 0;
  return line[0] == '=' ? 1 : 2;
}

std::optional<Marker> list_marker(std::string_view line) {
  if (line.empty()) return std::nullopt;
  Marker marker;
  bool first = true;
  if (line[0] == '-' || line[0] == '+' || line[0] == '*') {
    marker.width = 1;
  } else {
    while (marker.width < line.size() && marker.width < 9 && is_ascii_digit(line[marker.width]))
      ++marker.width;
    if (marker.width == 0 || marker.width >= line.size()) return std::nullopt;
    if (line[marker.width] != '.' && line[marker.width] != ')') return std::nullopt;
    first = line.substr(0, marker.width) == "1";
    ++marker.width;
  }
  if (marker.width < line.size() && !is_space(line[marker.width])) return std::nullopt;
  const Indent space = indent_of(line.substr(marker.width));
  const bool empty = marker.width + space.bytes == line.size();
  marker.interrupts = first && !empty;
  // After more than four columns of space the item begins with indented code.
  marker.width += empty || space.columns > 4 ? 1 : space.columns;
  return marker;
}

std::size_t delimiter_cells(std::string_view line) {
  line = trim(line);
  bool telling = false;  // "---" alone is a setext underline or a thematic break
  bool dash = false;
  std::size_t cells = 0;
  if (line.starts_with('|')) {
    telling = true;
    line.remove_prefix(1);
  }
  for (char c : line) {
    if (c == '-') {
      dash = true;
    } else if (c == '|') {
      if (!dash) return 0;
      telling = true;
      dash = false;
      ++cells;
    } else if (c == ':') {
      telling = true;
    } else if (!is_space(c)) {
      return 0;
    }
  }
  if (dash) ++cells;
  return telling ? cells : 0;
}

std::size_t row_cells(std::string_view line) {
  line = trim(line);
  if (line.empty()) return 0;
  if (line.starts_with('|')) line.remove_prefix(1);
  std::size_t cells = 1;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\')
      ++i;
    else if (line[i] == '|' && i + 1 < line.size())
      ++cells;
  }
  return cells;
}

std::optional<HtmlBlock> html_block(std::string_view line) {
  if (line.size() < 2 || line[0] != '<') return std::nullopt;
  if (line.starts_with("<!--")) return HtmlBlock{"-->", true};
  if (line.starts_with("<?")) return HtmlBlock{"?>", true};
  if (line.starts_with("<![CDATA[")) return HtmlBlock{"]]>", true};
  if (line[1] == '!')
    return line.size() > 2 && is_ascii_letter(line[2]) ? std::optional(HtmlBlock{">", true})
                                                       : std::nullopt;

  const std::size_t begin = line[1] == '/' ? 2 : 1;
  std::size_t end = begin;
  while (end < line.size() && end < begin + 16 &&
         (is_ascii_letter(line[end]) || is_ascii_digit(line[end]) || line[end] == '-'))
    ++end;
  if (end == begin || !is_ascii_letter(line[begin])) return std::nullopt;
  const std::string_view rest = line.substr(end);
  if (!rest.empty() && !is_space(rest[0]) && rest[0] != '>' && !rest.starts_with("/>"))
    return std::nullopt;
  const std::string name = ascii_lower(line.substr(begin, end - begin));
  if (begin == 1)
    for (auto [element, until] :
         {std::pair<std::string_view, std::string_view>{"script", "</script>"},
          {"pre", "</pre>"},
          {"style", "</style>"},
          {"textarea", "</textarea>"}})
      if (name == element) return HtmlBlock{until, true};
  if (std::ranges::binary_search(kBlockElements, std::string_view(name)))
    return HtmlBlock{{}, true};
  // Any other complete tag alone on its line.
  if (const std::string_view tail = trim(rest); tail.find('>') + 1 == tail.size() && !tail.empty())
    return HtmlBlock{{}, false};
  return std::nullopt;
}

}  // namespace ragline
