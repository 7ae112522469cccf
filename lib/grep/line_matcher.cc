#include "grep/line_matcher.h"

#include "core/text.h"
#include "core/utf8.h"

namespace ragline {

LineMatcher::LineMatcher(const Regex& regex, bool word)
    : regex_(regex), word_(word), boundary_(regex.has_boundary()), literal_(regex.literal()) {}

// Null when RE2 finds it too large; the slow engine takes over then.
const Re2Program* LineMatcher::program(std::optional<Re2Program>& slot, const std::string& text, Re2Program::Encoding encoding) {
  auto compiled = Re2Program::compile(text, encoding);
  if (!compiled) return nullptr;
  slot.emplace(std::move(*compiled));
  return &*slot;
}

PikeVm& LineMatcher::pike() {
  if (!pike_) {
    whole_ = std::make_unique<Regex>(word_ ? whole_words(regex_) : regex_);
    pike_ = std::make_unique<PikeVm>(*whole_);
  }
  return *pike_;
}

bool LineMatcher::find_literal(std::string_view line, std::size_t from, ByteSpan& span) const {
  for (std::size_t at = line.find(*literal_, from); at != line.npos; at = line.find(*literal_, at + 1)) {
    span = {at, at + literal_->size()};
    if (!word_ || (word_may_begin(line, at) && word_may_end(line, span.end))) return true;
  }
  return false;
}

// -w: what stands beside the match is taken along and cut off again. Behind the first place of the line that is a character for
// certain, so that a search from inside begins one character earlier.
bool LineMatcher::find_ascii(std::string_view line, std::size_t from, ByteSpan& span) {
  const bool inside = word_ && from > 0;
  std::optional<Re2Program>& slot = inside ? ascii_inside_ : ascii_;
  const Re2Program* compiled = slot ? &*slot : nullptr;
  if (!compiled) {
    std::string text = re2_ascii(regex_, false);
    if (word_) text = cat(inside ? "[^0-9A-Za-z_]" : "(?:^|[^0-9A-Za-z_])", "((?:", text, "))(?:$|[^0-9A-Za-z_])");
    compiled = program(slot, text, Re2Program::Encoding::kLatin1);
    if (!compiled) return pike().find(line, from, span);
  }
  return compiled->find(line, inside ? from - 1 : from, span, word_ ? 1 : 0);
}

bool LineMatcher::find(std::string_view line, std::size_t from, ByteSpan& span) {
  if (from > line.size()) return false;
  if (literal_) return find_literal(line, from, span);
  if (is_ascii(line)) return find_ascii(line, from, span);
  if (word_ || boundary_) return pike().find(line, from, span);
  const Re2Program* compiled =
      unicode_ ? &*unicode_ : program(unicode_, re2_unicode(regex_, false, false), Re2Program::Encoding::kUtf8);
  return compiled ? compiled->find(line, from, span) : pike().find(line, from, span);
}

bool LineMatcher::matches(std::string_view line) {
  ByteSpan span;
  if (line.ends_with('\r') && find(line.substr(0, line.size() - 1), 0, span)) return true;
  return find(line, 0, span);
}

void LineMatcher::spans(std::string_view line, std::vector<ByteSpan>& out) {
  if (line.ends_with('\r') && spans_of(line.substr(0, line.size() - 1), out)) return;
  spans_of(line, out);
}

bool LineMatcher::spans_of(std::string_view line, std::vector<ByteSpan>& out) {
  const std::size_t before = out.size();
  ByteSpan span;
  for (std::size_t from = 0; from <= line.size() && find(line, from, span);) {
    const bool empty = span.begin == span.end;
    if (empty && out.size() > before && out.back().end == span.begin) {
      std::size_t size = 1;
      if (from < line.size()) code_point_at(line, from, size);
      from = std::max(from, static_cast<std::size_t>(span.begin)) + size;
      continue;
    }
    out.push_back(span);
    from = span.end;
    if (empty) {
      std::size_t size = 1;
      if (from < line.size()) code_point_at(line, from, size);
      from += size;
    }
  }
  return out.size() > before;
}

const Re2Program* LineMatcher::capturing() {
  if (capturing_) return &*capturing_;
  return program(capturing_, re2_unicode(regex_, true, false), Re2Program::Encoding::kUtf8);
}

bool LineMatcher::captures(std::string_view line, ByteSpan span, std::vector<ByteSpan>& groups) {
  const Re2Program* compiled = capturing();
  if (compiled && compiled->captures(line, span, groups)) return true;
  groups.assign(1, span);
  return false;
}

int LineMatcher::capture_named(std::string_view name) {
  const Re2Program* compiled = capturing();
  return compiled ? compiled->capture_named(name) : 0;
}

int LineMatcher::capture_count() {
  const Re2Program* compiled = capturing();
  return compiled ? compiled->capture_count() : 0;
}

}  // namespace ragline
