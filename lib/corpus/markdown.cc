#include "corpus/markdown.h"

#include "core/text.h"
#include "corpus/front_matter.h"
#include "corpus/lines.h"
#include "corpus/markdown_line.h"
#include "corpus/outline.h"

namespace ragline {

namespace {

// Consumes the text block by block. `line_` is always the first line not consumed yet. A block
// stays open until the next one begins, which is how blank lines come to belong to the block before
// them.
class MarkdownScanner {
 public:
  MarkdownScanner(ParsedDocument& parsed, std::string_view text) : text_(text), outline_(parsed) {}

  void run(std::size_t front_matter) {
    if (front_matter > 0) open_.type = "front_matter";
    go_to(front_matter);
    while (more_) {
      if (blank_)
        advance();
      else
        scan_block();
    }
    close(text_.size());
    outline_.finish(text_.size());
  }
  // The first heading of level 1, else the first of all.
  const std::string& title() const { return title_; }

 private:
  struct Open {
    std::string_view type;
    int level = 0;
    std::string title;
    ByteSpan header;
  };

  void go_to(std::size_t begin) {
    more_ = begin < text_.size();
    if (!more_) return;
    line_ = line_at(text_, begin);
    const std::string_view content = line_.content(text_);
    const Indent indent = indent_of(content);
    columns_ = indent.columns;
    rest_ = content.substr(indent.bytes);
    blank_ = rest_.empty() || (static_cast<unsigned char>(rest_[0]) < ' ' && is_blank(rest_));
  }
  void advance() { go_to(line_.end); }

  void close(std::size_t end) {
    if (open_.type == "heading") {
      outline_.heading(open_.level, open_.title, end);
      if (title_level_ == 0 || (open_.level == 1 && title_level_ > 1)) {
        title_ = open_.title;
        title_level_ = open_.level;
      }
    } else if (!open_.type.empty()) {
      outline_.block(open_.type, end, open_.header);
    }
  }
  void open(std::string_view type) { open_at(type, line_.begin); }
  void open_at(std::string_view type, std::size_t begin) {
    close(begin);
    open_ = {type, 0, {}, {}};
  }

  void scan_block() {
    if (columns_ >= 4) return scan_indented_code();
    switch (rest_[0]) {
      case '#':
        if (auto level = atx_level(rest_)) {
          open("heading");
          open_.level = *level;
          open_.title = heading_title(atx_text(rest_));
          return advance();
        }
        break;
      case '`':
      case '~':
        if (auto fence = opening_fence(rest_)) return scan_fence(*fence);
        break;
      case '>':
        return scan_quote();
      case '<':
        if (auto html = html_block(rest_)) return scan_html(*html);
        break;
      case '*':
      case '-':
      case '_':
        if (is_thematic_break(rest_)) {
          open("rule");
          return advance();
        }
        break;
      default:
        break;
    }
    if (list_marker(rest_)) return scan_list();
    scan_paragraph();
  }

  // Whether the line, which has something on it, may end a paragraph that it follows directly.
  bool interrupts() const {
    if (columns_ >= 4) return false;
    switch (rest_[0]) {
      case '#':
        return atx_level(rest_).has_value();
      case '`':
      case '~':
        return opening_fence(rest_).has_value();
      case '>':
        return true;
      case '<': {
        const auto html = html_block(rest_);
        return html && html->interrupts;
      }
      case '*':
      case '-':
      case '_':
        if (is_thematic_break(rest_)) return true;
        break;
      case '+':
      case '0':
      case '1':
        break;
      default:
        return false;
    }
    const auto marker = list_marker(rest_);
    return marker && marker->interrupts;
  }

  void scan_indented_code() {
    open("code");
    while (more_ && (blank_ || columns_ >= 4)) advance();
  }

  void scan_fence(Fence fence) {
    open("code");
    for (advance(); more_; advance())
      if (columns_ < 4 && !blank_ && closes_fence(rest_, fence)) return advance();
  }

  void scan_html(HtmlBlock html) {
    open("html");
    if (html.until.empty()) {
      while (more_ && !blank_) advance();
      return;
    }
    for (; more_; advance())
      if (ascii_lower(rest_).find(html.until) != std::string::npos) return advance();
  }

  void scan_quote() {
    open("quote");
    bool lazy = false;  // an unmarked line may go on with the paragraph inside
    bool in_fence = false;
    for (; more_ && !blank_; advance()) {
      if (columns_ >= 4 || rest_[0] != '>') {
        if (!lazy || interrupts()) return;
        continue;
      }
      const std::string_view inside =
          rest_.substr(std::min(rest_.find_first_not_of("> \t"), rest_.size()));
      const bool fence = inside.starts_with("```") || inside.starts_with("~~~");
      if (fence) in_fence = !in_fence;
      lazy = !fence && !in_fence && !is_blank(inside);
    }
  }

  // A list goes on with lines that are indented as its items' text, with further items, and with
  // lines that continue a paragraph lazily. A fence inside it hides what looks like an item or a
  // heading.
  void scan_list() {
    open("list");
    std::size_t text_column = 0;
    std::optional<Fence> fence;
    bool after_blank = false;
    for (; more_; advance()) {
      if (blank_) {
        after_blank = true;
        continue;
      }
      std::string_view inside = rest_;
      if (text_column == 0 || columns_ < text_column) {
        const auto marker =
            columns_ < 4 && !is_thematic_break(rest_) ? list_marker(rest_) : std::nullopt;
        if (marker) {
          text_column = columns_ + marker->width;
          fence.reset();
        } else if (after_blank || fence || interrupts()) {
          return;
        }
      } else if (fence) {
        if (closes_fence(rest_, *fence)) fence.reset();
        continue;
      }
      for (auto marker = list_marker(inside); marker; marker = list_marker(inside)) {
        if (marker->width >= inside.size()) break;
        inside = trim(inside.substr(marker->width));
      }
      fence = opening_fence(inside);
      after_blank = false;
    }
  }

  void scan_table(std::size_t header_begin) {
    open_.header = {header_begin, line_.end};
    advance();
    while (more_ && !blank_ && !interrupts()) advance();
  }

  void scan_paragraph() {
    open("paragraph");
    const std::size_t begin = line_.begin;
    TextLine before = line_;
    for (advance(); more_ && !blank_; advance()) {
      if (columns_ < 4) {
        if (const int level = setext_level(rest_)) {
          open_ = {"heading", level, heading_title(text_.substr(begin, line_.begin - begin)), {}};
          return advance();
        }
        const bool may_delimit = rest_[0] == '|' || rest_[0] == '-' || rest_[0] == ':';
        if (const auto cells = may_delimit ? delimiter_cells(rest_) : 0; cells > 0) {
          const std::string_view header = before.content(text_);
          if (row_cells(header) == cells) {
            if (before.begin > begin) open_at("table", before.begin);
            open_.type = "table";
            return scan_table(before.begin);
          }
        }
        if (interrupts()) return;
      }
      before = line_;
    }
  }

  std::string_view text_;
  Outline outline_;
  Open open_;
  std::string title_;
  int title_level_ = 0;

  bool more_ = false, blank_ = false;
  TextLine line_;
  std::size_t columns_ = 0;  // of indentation
  std::string_view rest_;    // the line behind it
};

}  // namespace

void parse_markdown(ParsedDocument& parsed, const ParseOptions& options) {
  Document& document = parsed.document;
  std::size_t front_matter_size = 0;
  if (auto front_matter = parse_front_matter(document.text, options.trust_labels)) {
    front_matter_size = front_matter->size;
    document.title = std::move(front_matter->title);
    document.language = std::move(front_matter->language);
    document.metadata = std::move(front_matter->metadata);
    document.governance = std::move(front_matter->governance);
  }
  MarkdownScanner scanner(parsed, document.text);
  scanner.run(front_matter_size);
  if (document.title.empty()) document.title = scanner.title();
}

}  // namespace ragline
