#include "grep/printer.h"

#include <algorithm>

#include "core/text.h"
#include "core/utf8.h"

namespace ragline {

namespace {

// -c, -l, -L and -q: one line a file, or none.
class SummaryPrinter : public Printer {
 public:
  SummaryPrinter(const PrintOptions& options, Matcher& matcher) : options_(options), matcher_(matcher) {}
  void begin(const FileIdentity& file, Page& page) override {
    file_ = file;
    page_ = &page;
    spans_ = 0;
  }
  bool match(const FoundLine& line) override {
    if (options_.count_matches) spans_ += line.spans ? line.spans->size() : matcher_.spans(line.text).size();
    return options_.form == PrintForm::kCount;
  }
  void context(const FoundLine&, bool) override {}
  void gap() override {}
  std::size_t settled() const override { return page_->bytes.size(); }
  void taken(std::size_t) override {}
  void end(const FileTotals& totals) override {
    const std::uint64_t count = options_.count_matches ? spans_ : totals.lines;
    std::string& out = page_->bytes;
    if (options_.form == PrintForm::kPaths) {
      append(out, file_.path, options_.null_after_path ? '\0' : '\n');
    } else if (options_.form == PrintForm::kCount && (count > 0 || options_.include_zero)) {
      if (options_.path) append(out, file_.path, options_.null_after_path ? '\0' : ':');
      append(out, count, '\n');
    }
    if (options_.keep_marks) page_->marks.push_back({out.size(), 0, 0});
  }

 private:
  const PrintOptions& options_;
  Matcher& matcher_;
  FileIdentity file_;
  Page* page_ = nullptr;
  std::uint64_t spans_ = 0;
};

}  // namespace

std::unique_ptr<Printer> make_printer(const PrintOptions& options, Matcher& matcher) {
  switch (options.form) {
    case PrintForm::kText: return make_text_printer(options, matcher);
    case PrintForm::kRecords: return make_record_printer(options, matcher);
    case PrintForm::kJson: return make_json_printer(options, matcher);
    default: return std::make_unique<SummaryPrinter>(options, matcher);
  }
}

Excerpt cut_excerpt(std::string_view line, ByteSpan focus, std::uint64_t most) {
  if (most == 0 || line.size() <= most) return {0, line.size()};
  const auto room = static_cast<std::size_t>(most);
  const auto begin_of = static_cast<std::size_t>(std::min<std::uint64_t>(focus.begin, line.size()));
  const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(focus.end - focus.begin, room));
  // The match with as much before it as behind it; what one side has no use for, the other gets.
  std::size_t begin = begin_of - std::min(begin_of, (room - length) / 2);
  begin = std::min(begin, line.size() - room);
  std::size_t end = begin + room;
  // Inwards to the limits of code points.
  while (begin < end && (static_cast<unsigned char>(line[begin]) & 0xC0) == 0x80 && end - begin > 1) ++begin;
  end = std::max(begin, utf8_floor(line, end));
  return {begin, end};
}

Replacement::Replacement(std::string_view text, LineMatcher& matcher) : matcher_(matcher) {
  std::string literal;
  auto group_of = [&](std::string_view name) {
    if (const auto number = parse_integer(name)) return static_cast<int>(std::min<std::int64_t>(*number, 1000));
    const int named = matcher.capture_named(name);
    return named > 0 ? named : 1000;  // unknown: stands for nothing
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '$' || at + 1 == text.size()) {
      literal += text[at++];
      continue;
    }
    ++at;
    if (text[at] == '$') {
      literal += text[at++];
      continue;
    }
    const bool braced = text[at] == '{' && text.find('}', at) != text.npos;
    std::size_t end = at;
    if (braced) {
      end = text.find('}', ++at);
    } else {
      while (end < text.size() && is_ascii_word(static_cast<unsigned char>(text[end]))) ++end;
    }
    if (end == at) {
      literal += '$';
      continue;
    }
    pieces_.push_back({std::move(literal), -1});
    literal.clear();
    pieces_.push_back({"", group_of(text.substr(at, end - at))});
    at = end + (braced ? 1 : 0);
  }
  pieces_.push_back({std::move(literal), -1});
}

void Replacement::append(std::string& out, std::string_view line, ByteSpan span) {
  matcher_.captures(line, span, groups_);
  for (const Piece& piece : pieces_) {
    out += piece.literal;
    if (piece.group < 0 || static_cast<std::size_t>(piece.group) >= groups_.size()) continue;
    const ByteSpan group = groups_[static_cast<std::size_t>(piece.group)];
    if (group.begin <= group.end) out += line.substr(group.begin, group.end - group.begin);
  }
}

}  // namespace ragline
