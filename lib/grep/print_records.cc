// `match` records, written by hand: millions of them are what this prints.
#include <algorithm>

#include "core/text.h"
#include "core/utf8.h"
#include "grep/printer.h"
#include "record/base64.h"
#include "record/evidence.h"
#include "record/writer.h"

namespace ragline {

namespace {

class RecordPrinter : public Printer {
 public:
  RecordPrinter(const PrintOptions& options, Matcher& matcher) : options_(options), matcher_(matcher) {
    if (options_.has_replacement) replacement_.emplace(options_.replacement, matcher.shown_matcher());
    const auto& terms = matcher.query().terms();
    for (const auto& term : terms) ids_.push_back(json_string(term.id));
  }

  void begin(const FileIdentity& file, Page& page) override {
    page_ = &page;
    document_id_ = file.document_id;
    // What stands before the text of each record, and in it.
    id_json_ = json_string(file.document_id);
    id_json_.pop_back();  // the quote: an evidence id goes on
    middle_ = ",\"document_id\":";
    append_json_string(middle_, file.document_id);
    middle_ += ",\"path\":";
    append_json_string(middle_, file.path);
    if (!is_valid_utf8(file.path)) append(middle_, ",\"path_b64\":\"", base64_encode(file.path), "\"");
    middle_ += ",\"lines\":[";
    tail_.clear();
    if (!file.extractor.empty()) append(tail_, ",\"extractor\":", json_string(file.extractor));
    before_.clear();
    open_ = false;
  }

  bool match(const FoundLine& line) override {
    close_record();
    const std::string_view text = line.content();
    std::string& out = page_->bytes;
    record_begin_ = out.size();
    std::uint64_t last = line.number;
    if (line.spans)
      for (const char c : text) last += c == '\n';
    append(out, "{\"type\":\"match\",\"evidence_id\":", id_json_, "#", line.offset, "-", line.offset + text.size(), "@",
           hex(evidence_hash(text), 12), "\"", middle_, line.number, ",", last, "],\"bytes\":[", line.offset, ",",
           line.offset + text.size(), "],\"text\":");
    write_text(line, text);
    write_list("before", before_);
    before_.clear();
    open_ = true;
    mark_ = {0, line.offset, line.offset + line.text.size() + 1};
    return true;
  }

  void context(const FoundLine& line, bool before_match) override {
    std::string& list = before_match ? before_ : after_;
    if (!list.empty()) list += ',';
    const std::string_view text = line.content();
    const Excerpt shown = cut_excerpt(text, {}, options_.most_columns);
    append_json_string(list, text.substr(shown.begin, shown.end - shown.begin));
  }
  void gap() override {}
  std::size_t settled() const override { return open_ ? record_begin_ : page_->bytes.size(); }
  void taken(std::size_t bytes) override { record_begin_ -= std::min(bytes, record_begin_); }

  void end(const FileTotals&) override { close_record(); }

 private:
  void write_list(std::string_view name, const std::string& list) {
    if (!list.empty()) append(page_->bytes, ",\"", name, "\":[", list, "]");
  }

  void close_record() {
    if (!open_) return;
    open_ = false;
    write_list("after", after_);
    after_.clear();
    append(page_->bytes, tail_, "}\n");
    mark_.end = page_->bytes.size();
    if (options_.keep_marks) page_->marks.push_back(mark_);
  }

  void write_text(const FoundLine& line, std::string_view text) {
    if (line.spans) {
      spans_.clear();
      for (const ByteSpan& span : *line.spans) spans_.push_back({span.begin, span.end, matcher_.query().shown().empty() ? 0 : matcher_.query().shown()[0]});
    }
    const std::vector<TermSpan>& spans = line.spans ? spans_ : matcher_.term_spans(line.text);
    page_->spans += spans.size();
    if (ids_.size() > 1) {
      page_->hits.resize(ids_.size());
      for (const TermSpan& span : spans) page_->hits[span.term] = true;
    }
    const ByteSpan focus = spans.empty() ? ByteSpan{} : ByteSpan{spans[0].begin, spans[0].end};
    const Excerpt shown = cut_excerpt(text, focus, options_.most_columns);
    const std::string_view part = text.substr(shown.begin, shown.end - shown.begin);
    std::string& out = page_->bytes;
    append_json_string(out, part);
    out += ",\"spans\":[";
    bool first = true;
    for (const TermSpan& span : spans) {
      if (!is_inside(span, shown)) continue;
      append(out, first ? "[" : ",[", span.begin - shown.begin, ",", span.end - shown.begin, "]");
      first = false;
    }
    out += ']';
    if (matcher_.query().terms().size() > 1) {
      out += ",\"patterns\":[";
      first = true;
      for (const TermSpan& span : spans) {
        if (!is_inside(span, shown)) continue;
        append(out, first ? "" : ",", ids_[span.term]);
        first = false;
      }
      out += ']';
    }
    if (replacement_) write_replaced(line);
    if (part.size() < text.size()) append(out, ",\"cut\":[", shown.begin, ",", shown.end, "]");
    if (!is_valid_utf8(part)) append(out, ",\"text_b64\":\"", base64_encode(part), "\"");
  }

  static bool is_inside(const TermSpan& span, const Excerpt& shown) {
    return span.begin >= shown.begin && span.end <= shown.end;
  }

  void write_replaced(const FoundLine& line) {
    std::string replaced;
    const std::vector<ByteSpan>& spans = line.spans ? *line.spans : matcher_.spans(line.text);
    const std::string_view text = line.content();
    std::size_t at = 0;
    for (const ByteSpan& span : spans) {
      replaced += text.substr(at, span.begin - at);
      replacement_->append(replaced, line.text, span);
      at = static_cast<std::size_t>(std::min<std::uint64_t>(span.end, text.size()));
    }
    replaced += text.substr(at);
    page_->bytes += ",\"replaced\":";
    append_json_string(page_->bytes, replaced);
  }

  const PrintOptions& options_;
  Matcher& matcher_;
  std::optional<Replacement> replacement_;
  std::vector<std::string> ids_;
  std::vector<TermSpan> spans_;
  std::string_view document_id_;
  std::string id_json_, middle_, tail_, before_, after_;
  Page* page_ = nullptr;
  Mark mark_;
  std::size_t record_begin_ = 0;
  bool open_ = false;
};

}  // namespace

std::unique_ptr<Printer> make_record_printer(const PrintOptions& options, Matcher& matcher) {
  return std::make_unique<RecordPrinter>(options, matcher);
}

}  // namespace ragline
