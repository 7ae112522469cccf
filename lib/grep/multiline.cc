#include "grep/multiline.h"

#include <algorithm>

#include "core/text.h"
#include "core/utf8.h"
#include "grep/bytes.h"

namespace ragline {

// RE2 for all but Unicode's word limits, which only our own engine knows.
bool MultilineSearcher::find(std::string_view text, std::size_t from, ByteSpan& span) {
  const GrepQuery& query = matcher_.query();
  const bool boundary = query.word() || query.shown_regex().has_boundary();
  if (!boundary) {
    if (!program_) {
      auto compiled = Re2Program::compile(re2_unicode(query.shown_regex(), false, true), Re2Program::Encoding::kUtf8);
      if (compiled) program_.emplace(std::move(*compiled));
    }
    if (program_) return program_->find(text, from, span);
  }
  if (!pike_) {
    whole_ = std::make_unique<Regex>(query.word() ? whole_words(query.shown_regex()) : query.shown_regex());
    pike_ = std::make_unique<PikeVm>(*whole_, true);
  }
  return pike_->find(text, from, span);
}

std::size_t MultilineSearcher::line_begin(std::size_t at) const {
  const std::size_t newline = at == 0 ? text_.npos : text_.rfind('\n', at - 1);
  return newline == text_.npos ? 0 : newline + 1;
}

std::size_t MultilineSearcher::line_behind(std::size_t at) const {
  const std::size_t newline = text_.find('\n', at);
  return newline == text_.npos ? text_.size() : newline + 1;
}

std::uint64_t MultilineSearcher::number_of(std::size_t at) {
  const std::string_view text = text_;
  if (at > counted_) line_number_ += count_newlines(text.substr(counted_, at - counted_));
  if (at < counted_) line_number_ -= count_newlines(text.substr(at, counted_ - at));
  counted_ = at;
  return line_number_;
}

void MultilineSearcher::give_lines(Sink& sink, std::size_t begin, std::size_t end, bool before) {
  while (begin < end) {
    const std::size_t behind = line_behind(begin);
    const bool newline = text_[behind - 1] == '\n';
    sink.context({std::string_view(text_).substr(begin, behind - begin - newline), offset_ + begin, number_of(begin), newline, nullptr},
                 before);
    begin = behind;
  }
}

// The lines [begin, end) with the matches in spans_ (places in text_).
bool MultilineSearcher::show(Sink& sink, std::size_t begin, std::size_t end) {
  if (result_.lines == options_.most) {
    result_.capped = true;
    return false;
  }
  ++result_.lines;
  if (options_.only_count) return true;
  for (; after_left_ > 0 && shown_ < begin; --after_left_) {
    const std::size_t behind = line_behind(shown_);
    give_lines(sink, shown_, behind, false);
    shown_ = behind;
  }
  if (options_.before > 0 || options_.after > 0) {
    std::size_t first = begin;
    for (std::uint64_t i = 0; i < options_.before && first > shown_; ++i) first = std::max(shown_, line_begin(first - 1));
    if (any_shown_ && first > shown_) sink.gap();
    give_lines(sink, first, begin, true);
  }
  for (ByteSpan& span : spans_) span = {span.begin - begin, span.end - begin};
  const bool newline = end > begin && text_[end - 1] == '\n';
  const bool more =
      sink.match({std::string_view(text_).substr(begin, end - begin - newline), offset_ + begin, number_of(begin), newline, &spans_});
  shown_ = end;
  any_shown_ = true;
  after_left_ = options_.after;
  result_.stopped = !more;
  return more;
}

bool MultilineSearcher::search_window(Sink& sink, std::size_t limit) {
  std::size_t begin = 0, end = 0;
  bool open = false;
  spans_.clear();
  ByteSpan span;
  while (at_ < limit && find(text_, at_, span) && span.begin < limit) {
    const auto first = static_cast<std::size_t>(span.begin), last = static_cast<std::size_t>(span.end);
    if (first == last && first == text_.size() && !text_.empty() && text_.back() == '\n') break;  // behind the last line
    const std::size_t lines_begin = line_begin(first);
    const std::size_t lines_end = last > first && text_[last - 1] == '\n' ? last : line_behind(last);
    if (open && lines_begin >= end) {
      if (!show(sink, begin, end)) return false;
      spans_.clear();
      open = false;
    }
    if (!open) begin = lines_begin;
    end = std::max(open ? end : 0, lines_end);
    open = true;
    spans_.push_back(span);
    at_ = last;
    if (first == last) {
      std::size_t size = 1;
      if (last < text_.size()) code_point_at(text_, last, size);
      at_ = last + size;
    }
  }
  if (open && !show(sink, begin, end)) return false;
  at_ = std::max({at_, limit, open ? end : 0});
  return true;
}

// Drops what is before `to`, but for the lines that context may still want.
void MultilineSearcher::slide(std::size_t to) {
  to = line_begin(std::min(to, text_.size()));
  for (std::uint64_t i = 0; i < options_.before + 1 && to > 0; ++i) to = line_begin(to - 1);
  if (after_left_ > 0) to = std::min(to, shown_);
  number_of(to);
  text_.erase(0, to);
  offset_ += to;
  at_ -= std::min(at_, to);
  shown_ -= std::min(shown_, to);
  counted_ = 0;
}

Result<ScanResult> MultilineSearcher::search(BlockReader& reader, Sink& sink, const GoOn& go_on, std::uint64_t from) {
  result_ = {};
  text_.clear();
  offset_ = 0;
  at_ = shown_ = counted_ = 0;
  line_number_ = 1;
  after_left_ = 0;
  any_shown_ = false;
  bool ended = false;
  while (!ended) {
    while (!ended && text_.size() < at_ + 2 * options_.window) {
      LineBlock block;
      RAGLINE_TRY(const bool more, reader.next(block));
      ended = !more;
      if (more) text_ += block.text;
    }
    if (offset_ + at_ < from) {
      at_ = static_cast<std::size_t>(std::min<std::uint64_t>(from - offset_, text_.size()));
      shown_ = at_;
    }
    const std::size_t limit = ended ? text_.size() + 1 : text_.size() - options_.window;
    const bool more = search_window(sink, limit);
    result_.bytes = offset_ + std::min(at_, text_.size());
    for (; after_left_ > 0 && shown_ < text_.size() && (!more || ended); --after_left_) {
      const std::size_t behind = line_behind(shown_);
      give_lines(sink, shown_, behind, false);
      shown_ = behind;
    }
    if (!more) return result_;
    if (!ended && !go_on(result_.bytes)) {
      result_.stopped = true;
      return result_;
    }
    if (!ended) slide(at_);
  }
  return result_;
}

}  // namespace ragline
