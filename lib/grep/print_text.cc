// Text as ripgrep prints it: for people on a terminal, and for tools that read path:line:text.
#include <algorithm>

#include "core/text.h"
#include "core/utf8.h"
#include "grep/printer.h"

namespace ragline {

namespace {

constexpr std::string_view kReset = "\x1b[0m", kPathInk = "\x1b[35m", kNumberInk = "\x1b[32m", kMatchInk = "\x1b[1m\x1b[31m";

class TextPrinter : public Printer {
 public:
  TextPrinter(const PrintOptions& options, Matcher& matcher) : options_(options), matcher_(matcher) {
    if (options_.has_replacement) replacement_.emplace(options_.replacement, matcher.shown_matcher());
    needs_spans_ = options_.color || options_.only_matching || options_.vimgrep || options_.column ||
                   options_.has_replacement || options_.most_columns > 0;
  }

  void begin(const FileIdentity& file, Page& page) override {
    file_ = file;
    page_ = &page;
    begun_ = false;
  }

  bool match(const FoundLine& line) override {
    start_file();
    std::string& out = page_->bytes;
    if (needs_spans_) {
      const std::vector<ByteSpan>& spans = line.spans ? *line.spans : matcher_.spans(line.text);
      page_->spans += spans.size();
      matched_line(line, spans);
    } else if (line.spans) {
      plain_lines(line, ':');
    } else {
      prefix(line.number, line.offset, 0, ':');
      append(out, line.text, '\n');
    }
    if (options_.keep_marks) page_->marks.push_back({out.size(), line.offset, line.offset + line.text.size() + 1});
    return true;
  }

  void context(const FoundLine& line, bool) override {
    start_file();
    plain_lines(line, '-');
  }

  void gap() override {
    start_file();
    if (options_.context_lines > 0) page_->bytes += "--\n";
  }

  std::size_t settled() const override { return page_->bytes.size(); }
  void taken(std::size_t) override {}
  void end(const FileTotals&) override {
    if (options_.keep_marks && !page_->marks.empty()) page_->marks.back().end = page_->bytes.size();
  }

 private:
  void start_file() {
    if (begun_) return;
    begun_ = true;
    if (!options_.heading || !options_.path) return;
    paint(kPathInk, file_.path);
    page_->bytes += options_.null_after_path ? '\0' : '\n';
  }

  void paint(std::string_view ink, std::string_view text) {
    if (options_.color) {
      append(page_->bytes, kReset, ink, text, kReset);
    } else {
      page_->bytes += text;
    }
  }

  void prefix(std::uint64_t number, std::uint64_t offset, std::size_t column, char separator) {
    std::string& out = page_->bytes;
    if (options_.path && !options_.heading) {
      paint(kPathInk, file_.path);
      out += options_.null_after_path ? '\0' : separator;
    }
    if (options_.numbers) {
      if (options_.color) {
        paint(kNumberInk, cat(number));
        out += separator;
      } else {
        append(out, number, separator);
      }
    }
    if (column > 0) append(out, column, separator);
    if (options_.byte_offset) append(out, offset, separator);
  }

  // A match across lines is several lines of text.
  void plain_lines(const FoundLine& line, char separator) {
    std::uint64_t number = line.number;
    for (std::size_t begin = 0;;) {
      const std::size_t end = std::min(line.text.find('\n', begin), line.text.size());
      prefix(number++, line.offset + begin, 0, separator);
      append(page_->bytes, line.text.substr(begin, end - begin), '\n');
      if (end == line.text.size()) return;
      begin = end + 1;
    }
  }

  void matched_line(const FoundLine& line, const std::vector<ByteSpan>& spans) {
    if (options_.only_matching || options_.vimgrep) {
      for (const ByteSpan& span : spans) {
        one_match(line, span, options_.only_matching);
      }
      return;
    }
    if (line.text.find('\n') != line.text.npos && !options_.has_replacement) {
      lines_with_matches(line, spans);
    } else {
      shown_line(line.number, line.offset, line.text, spans);
    }
  }

  // -o: the match alone. --vimgrep: its line, once for each match.
  void one_match(const FoundLine& line, const ByteSpan& span, bool alone) {
    std::size_t begin = 0;
    std::uint64_t number = line.number;
    for (std::size_t newline = line.text.find('\n'); newline < span.begin; newline = line.text.find('\n', newline + 1)) {
      begin = newline + 1;
      ++number;
    }
    const std::size_t column = options_.column || options_.vimgrep ? static_cast<std::size_t>(span.begin) - begin + 1 : 0;
    if (alone) {
      prefix(number, line.offset + span.begin, column, ':');
      if (replacement_) {
        replacement_->append(page_->bytes, line.text, span);
      } else {
        paint(kMatchInk, line.text.substr(span.begin, span.end - span.begin));
      }
      page_->bytes += '\n';
      return;
    }
    const std::size_t end = std::min(line.text.find('\n', begin), line.text.size());
    prefix(number, line.offset + begin, column, ':');
    text_with(line.text.substr(begin, end - begin), {{span.begin - begin, std::min<std::uint64_t>(span.end, end) - begin}});
  }

  void lines_with_matches(const FoundLine& line, const std::vector<ByteSpan>& spans) {
    std::uint64_t number = line.number;
    for (std::size_t begin = 0;;) {
      const std::size_t end = std::min(line.text.find('\n', begin), line.text.size());
      std::vector<ByteSpan> inside;
      for (const ByteSpan& span : spans)
        if (span.begin <= end && span.end > begin)
          inside.push_back({std::max<std::uint64_t>(span.begin, begin) - begin, std::min<std::uint64_t>(span.end, end) - begin});
      shown_line(number++, line.offset + begin, line.text.substr(begin, end - begin), inside);
      if (end == line.text.size()) return;
      begin = end + 1;
    }
  }

  void shown_line(std::uint64_t number, std::uint64_t offset, std::string_view text, const std::vector<ByteSpan>& spans) {
    prefix(number, offset, options_.column && !spans.empty() ? static_cast<std::size_t>(spans[0].begin) + 1 : 0, ':');
    text_with(text, spans);
  }

  void text_with(std::string_view text, const std::vector<ByteSpan>& spans) {
    std::string& out = page_->bytes;
    const Excerpt shown = cut_excerpt(text, spans.empty() ? ByteSpan{} : spans[0], options_.most_columns);
    if (shown.begin > 0) out += "[...]";
    std::size_t at = shown.begin;
    for (const ByteSpan& span : spans) {
      const std::size_t begin = std::clamp<std::size_t>(span.begin, at, shown.end);
      const std::size_t end = std::clamp<std::size_t>(span.end, begin, shown.end);
      out += text.substr(at, begin - at);
      if (replacement_ && span.begin >= shown.begin && span.end <= shown.end) {
        replacement_->append(out, text, span);
      } else if (end > begin) {
        paint(kMatchInk, text.substr(begin, end - begin));
      }
      at = end;
    }
    append(out, text.substr(at, shown.end - at), shown.end < text.size() ? "[...]\n" : "\n");
  }

  const PrintOptions& options_;
  Matcher& matcher_;
  std::optional<Replacement> replacement_;
  bool needs_spans_ = false, begun_ = false;
  FileIdentity file_;
  Page* page_ = nullptr;
};

}  // namespace

std::unique_ptr<Printer> make_text_printer(const PrintOptions& options, Matcher& matcher) {
  return std::make_unique<TextPrinter>(options, matcher);
}

}  // namespace ragline
