// ripgrep's --json: begin, match, context and end events, and a summary. Times are zero, so that two equal runs print equal bytes.
#include "core/text.h"
#include "core/utf8.h"
#include "grep/printer.h"
#include "record/base64.h"
#include "record/writer.h"

namespace ragline {

namespace {

constexpr std::string_view kNoTime = "{\"human\":\"0.000000s\",\"nanos\":0,\"secs\":0}";

// {"text":..}, or {"bytes":base64} for what is no UTF-8.
void append_data(std::string& out, std::string_view text) {
  if (is_valid_utf8(text)) {
    out += "{\"text\":";
    append_json_string(out, text);
    out += '}';
  } else {
    append(out, "{\"bytes\":\"", base64_encode(text), "\"}");
  }
}

class JsonPrinter : public Printer {
 public:
  JsonPrinter(const PrintOptions& options, Matcher& matcher) : options_(options), matcher_(matcher) {}

  void begin(const FileIdentity& file, Page& page) override {
    page_ = &page;
    path_.clear();
    append_data(path_, file.path);
    begun_ = false;
    lines_ = matches_ = 0;
  }

  bool match(const FoundLine& line) override {
    start_file();
    const std::vector<ByteSpan>& spans = line.spans ? *line.spans : matcher_.spans(line.text);
    event("match", line, spans);
    ++lines_;
    matches_ += spans.size();
    page_->spans += spans.size();
    if (options_.keep_marks) page_->marks.push_back({page_->bytes.size(), line.offset, line.offset + line.text.size() + 1});
    return true;
  }

  void context(const FoundLine& line, bool) override {
    start_file();
    event("context", line, {});
  }
  void gap() override {}
  std::size_t settled() const override { return page_->bytes.size(); }
  void taken(std::size_t bytes) override { printed_ += bytes; }

  void end(const FileTotals& totals) override {
    if (!begun_) return;
    append(page_->bytes, "{\"type\":\"end\",\"data\":{\"path\":", path_, ",\"binary_offset\":null,\"stats\":{\"elapsed\":", kNoTime,
           ",\"searches\":1,\"searches_with_match\":1,\"bytes_searched\":", totals.bytes,
           ",\"bytes_printed\":", page_->bytes.size() + printed_ - printed_from_, ",\"matched_lines\":", lines_, ",\"matches\":", matches_,
           "}}}\n");
    if (options_.keep_marks && !page_->marks.empty()) page_->marks.back().end = page_->bytes.size();
  }

 private:
  void start_file() {
    if (begun_) return;
    begun_ = true;
    printed_ = 0;
    printed_from_ = page_->bytes.size();
    append(page_->bytes, "{\"type\":\"begin\",\"data\":{\"path\":", path_, "}}\n");
  }

  void event(std::string_view type, const FoundLine& line, const std::vector<ByteSpan>& spans) {
    std::string& out = page_->bytes;
    append(out, "{\"type\":\"", type, "\",\"data\":{\"path\":", path_, ",\"lines\":");
    whole_.assign(line.text);
    if (line.newline) whole_ += '\n';
    append_data(out, whole_);
    out += ",\"line_number\":";
    if (line.number > 0) {
      append(out, line.number);
    } else {
      out += "null";
    }
    append(out, ",\"absolute_offset\":", line.offset, ",\"submatches\":[");
    for (const ByteSpan& span : spans) {
      if (&span != spans.data()) out += ',';
      out += "{\"match\":";
      append_data(out, std::string_view(whole_).substr(span.begin, span.end - span.begin));
      append(out, ",\"start\":", span.begin, ",\"end\":", span.end, "}");
    }
    out += "]}}\n";
  }

  const PrintOptions& options_;
  Matcher& matcher_;
  std::string path_, whole_;
  Page* page_ = nullptr;
  std::size_t printed_from_ = 0, printed_ = 0;  // printed_: of this page, handed on already
  std::uint64_t lines_ = 0, matches_ = 0;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<Printer> make_json_printer(const PrintOptions& options, Matcher& matcher) {
  return std::make_unique<JsonPrinter>(options, matcher);
}

void append_json_summary(std::string& out, const JsonTotals& totals) {
  append(out, "{\"data\":{\"elapsed_total\":", kNoTime, ",\"stats\":{\"bytes_printed\":", totals.bytes_printed,
         ",\"bytes_searched\":", totals.bytes_searched, ",\"elapsed\":", kNoTime, ",\"matched_lines\":", totals.lines,
         ",\"matches\":", totals.matches, ",\"searches\":", totals.searches, ",\"searches_with_match\":", totals.with_match,
         "}},\"type\":\"summary\"}\n");
}

}  // namespace ragline
