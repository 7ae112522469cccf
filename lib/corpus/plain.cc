#include "corpus/plain.h"

#include <algorithm>
#include <optional>

#include "core/text.h"
#include "corpus/lines.h"
#include "corpus/outline.h"

namespace ragline {

namespace {

struct Heading {
  int level = 0;
  std::string_view title;
  std::size_t end = 0;  // of its last line
};

// "== Title", "** Title": the mark repeated, a space, the title.
std::optional<Heading> marked_heading(std::string_view content, char mark, int first_level) {
  const std::size_t run = std::min(content.find_first_not_of(mark), content.size());
  if (run == 0 || run > 6 || run == content.size() || content[run] != ' ') return std::nullopt;
  const std::string_view title = trim(content.substr(run));
  if (title.empty()) return std::nullopt;
  return Heading{std::clamp(static_cast<int>(run) - first_level + 1, 1, 6), title, 0};
}

class PlainScanner {
 public:
  PlainScanner(ParsedDocument& parsed, Markup markup)
      : document_(parsed.document),
        text_(parsed.document.text),
        markup_(markup),
        outline_(parsed) {}

  void run() {
    std::size_t at = 0;
    while (at < text_.size()) {
      TextLine line = line_at(text_, at);
      if (line_is_blank(line)) {
        at = line.end;
        continue;
      }
      close(line.begin);
      if (auto heading = heading_at(line)) {
        open_ = *heading;
        at = heading->end;
      } else {
        at = paragraph_end(line);
      }
      has_open_ = true;
    }
    close(text_.size());
    outline_.finish(text_.size());
  }

 private:
  bool line_is_blank(const TextLine& line) const {
    return line.content_end == line.begin ||
           (static_cast<unsigned char>(text_[line.begin]) <= ' ' && is_blank(line.content(text_)));
  }

  void close(std::size_t end) {
    if (!has_open_) return;
    if (open_.level > 0) {
      outline_.heading(open_.level, open_.title, end);
      if (title_level_ == 0 || open_.level < title_level_) {
        title_level_ = open_.level;
        document_.title = open_.title;
      }
    } else {
      outline_.block("paragraph", end);
    }
    open_ = {};
    has_open_ = false;
  }

  std::size_t paragraph_end(TextLine line) {
    note_delimiter(line);
    while (line.end < text_.size()) {
      const TextLine next = line_at(text_, line.end);
      if (line_is_blank(next)) break;
      if (markup_ != Markup::kNone && heading_at(next)) break;
      note_delimiter(next);
      line = next;
    }
    return line.end;
  }

  // Tracks the verbatim blocks in which nothing is a heading.
  void note_delimiter(const TextLine& line) {
    const std::string_view content = line.content(text_);
    if (markup_ == Markup::kAsciidoc &&
        (content.starts_with("----") || content.starts_with("....")) && adornment(content) &&
        (verbatim_ == 0 || verbatim_ == content[0]))
      verbatim_ = verbatim_ ? '\0' : content[0];
    if (markup_ == Markup::kOrg && content.starts_with("#+")) {
      const std::string word = ascii_lower(content.substr(2, 6));
      if (word == "begin_") verbatim_ = '#';
      if (word.starts_with("end_")) verbatim_ = '\0';
    }
  }

  std::optional<Heading> heading_at(const TextLine& line) {
    if (markup_ == Markup::kNone || verbatim_) return std::nullopt;
    const std::string_view content = line.content(text_);
    if (markup_ == Markup::kRst) return rst_heading(line, content);
    auto heading = markup_ == Markup::kAsciidoc ? marked_heading(content, '=', 1)
                                                : marked_heading(content, '*', 1);
    if (heading) heading->end = line.end;
    return heading;
  }

  // A row of one mark, at least two long: 0 when the line is none.
  static char adornment(std::string_view content) {
    content = content.substr(0, content.find_last_not_of(" \t") + 1);
    if (content.size() < 2 || is_ascii_letter(content[0]) || is_ascii_digit(content[0])) return 0;
    if (content[0] <= ' ' || content[0] > '~') return 0;
    return content.find_first_not_of(content[0]) == content.npos ? content[0] : '\0';
  }

  std::optional<Heading> rst_heading(const TextLine& line, std::string_view content) {
    if (line.end >= text_.size()) return std::nullopt;
    TextLine title = line;
    const char over = adornment(content);
    if (over) {  // the overline of a title
      title = line_at(text_, line.end);
      if (title.end >= text_.size() || line_is_blank(title)) return std::nullopt;
      content = title.content(text_);
    } else if (content[0] == ' ' || content[0] == '\t') {
      return std::nullopt;
    }
    const TextLine under = line_at(text_, title.end);
    const char mark = adornment(under.content(text_));
    if (!mark || (over && over != mark) || adornment(content)) return std::nullopt;
    const auto characters =
        std::count_if(content.begin(), content.end(), [](char c) { return (c & 0xC0) != 0x80; });
    if (under.content_end - under.begin < static_cast<std::size_t>(characters)) return std::nullopt;
    const char style = static_cast<char>(over ? mark | 0x80 : mark);
    auto place = styles_.find(style);
    if (place == styles_.npos) {
      place = styles_.size();
      styles_ += style;
    }
    return Heading{std::min(static_cast<int>(place) + 1, 6), trim(content), under.end};
  }

  Document& document_;
  const std::string_view text_;
  const Markup markup_;
  Outline outline_;
  Heading open_;
  bool has_open_ = false;
  int title_level_ = 0;
  char verbatim_ = 0;   // the mark of the open verbatim block
  std::string styles_;  // reStructuredText's adornments in order of appearance
};

}  // namespace

void parse_plain(ParsedDocument& parsed, Markup markup) { PlainScanner(parsed, markup).run(); }

}  // namespace ragline
