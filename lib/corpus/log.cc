#include "corpus/log.h"

#include <algorithm>

#include "corpus/lines.h"
#include "corpus/outline.h"

namespace ragline {

namespace {

bool digits_at(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return false;
  for (std::size_t i = at; i < at + count; ++i)
    if (!is_ascii_digit(text[i])) return false;
  return true;
}

bool is_indented(std::string_view line) {
  return !line.empty() && (line[0] == ' ' || line[0] == '\t');
}

// Lines that go on with an entry although they are not indented.
bool continues_entry(std::string_view line) {
  return is_indented(line) || line.empty() || line[0] == '}' || line[0] == ')' || line[0] == ']' ||
         line.starts_with("Caused by:") || line.starts_with("Traceback ") ||
         line.starts_with("at ") || line.starts_with("...");
}

struct Sample {
  std::size_t lines = 0, timed = 0;
};

// Of the first lines that are neither blank nor indented.
Sample sample(std::string_view text, std::size_t most) {
  Sample result;
  for (std::size_t at = 0; at < text.size() && result.lines < most;) {
    const TextLine line = line_at(text, at);
    at = line.end;
    const std::string_view content = line.content(text);
    if (is_blank(content.substr(0, 200)) || is_indented(content)) continue;
    ++result.lines;
    if (begins_with_time(content)) ++result.timed;
  }
  return result;
}

template <class Begins>
void split_entries(ParsedDocument& parsed, std::string_view type, Begins begins) {
  const std::string_view text = parsed.document.text;
  Outline outline(parsed);
  bool open = false;
  for (std::size_t at = 0; at < text.size();) {
    const TextLine line = line_at(text, at);
    at = line.end;
    const std::string_view content = line.content(text);
    if (content.empty() || is_blank(content.substr(0, 200))) continue;
    if (open && !begins(content)) continue;
    if (open) outline.block(type, line.begin);
    open = true;
  }
  if (open) outline.block(type, text.size());
  outline.finish(text.size());
}

}  // namespace

bool begins_with_time(std::string_view line) {
  line = line.substr(0, 40);
  std::size_t run = 0;  // digits right before i
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (is_ascii_digit(c)) {
      ++run;
      continue;
    }
    if (run == 2 && c == ':' && digits_at(line, i + 1, 2)) return true;  // 12:00
    if (run == 4 && (c == '-' || c == '/' || c == '.') && digits_at(line, i + 1, 2) &&
        i + 3 < line.size() && line[i + 3] == c)
      return true;                                                                     // 2026-03-01
    if (run >= 6 && run <= 19 && i <= run + 2 && (c == ' ' || c == '.')) return true;  // 1117838570
    run = 0;
  }
  return false;
}

bool looks_like_log(std::string_view head) {
  // The last line of a head may be cut.
  head = head.substr(0, head.rfind('\n') + 1);
  const Sample result = sample(head, 50);
  return result.lines >= 5 && result.timed * 10 >= result.lines * 9;
}

void parse_log(ParsedDocument& parsed) {
  const Sample result = sample(parsed.document.text, 100);
  if (result.timed * 2 >= result.lines && result.timed > 0)
    split_entries(parsed, "log", begins_with_time);
  else
    split_entries(parsed, "log", [](std::string_view line) { return !continues_entry(line); });
}

void parse_json_lines(ParsedDocument& parsed) {
  split_entries(parsed, "row", [](std::string_view) { return true; });
}

}  // namespace ragline
