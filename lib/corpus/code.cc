#include "corpus/code.h"

#include "corpus/lines.h"
#include "corpus/outline.h"

namespace ragline {

namespace {

// "}", "end", "else", ")": the line goes on with what was open before the blank line.
bool closes_something(std::string_view line) {
  if (line[0] == '}' || line[0] == ')' || line[0] == ']') return true;
  for (std::string_view word :
       {"end", "else", "elif", "elsif", "fi", "done", "esac", "endif", "#endif", "#else"})
    if (line.starts_with(word) &&
        (line.size() == word.size() || !is_ascii_letter(line[word.size()])))
      return true;
  return false;
}

}  // namespace

void parse_code(ParsedDocument& parsed) {
  const std::string_view text = parsed.document.text;
  Outline outline(parsed);
  bool open = false, after_blank = false;
  for (std::size_t at = 0; at < text.size();) {
    const TextLine line = line_at(text, at);
    at = line.end;
    const std::string_view content = line.content(text);
    const bool indented = !content.empty() && (content[0] == ' ' || content[0] == '\t');
    if (content.empty() || (indented && is_blank(content))) {
      after_blank = true;
      continue;
    }
    if (open && after_blank && !indented && !closes_something(content))
      outline.block("code", line.begin);
    open = true;
    after_blank = false;
  }
  if (open) outline.block("code", text.size());
  outline.finish(text.size());
}

}  // namespace ragline
