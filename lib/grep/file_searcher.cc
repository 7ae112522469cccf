#include "grep/file_searcher.h"

#include <algorithm>
#include <cstring>

#include "grep/bytes.h"

namespace ragline {

std::size_t FileSearcher::line_begin(std::size_t at, std::size_t least) const {
  const void* newline = at > least ? ::memrchr(text_.data() + least, '\n', at - least) : nullptr;
  return newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - text_.data()) + 1 : least;
}

FileSearcher::Line FileSearcher::line_at(std::size_t begin) const {
  const void* newline = std::memchr(text_.data() + begin, '\n', text_.size() - begin);
  if (!newline) return {begin, text_.size(), text_.size()};
  const auto end = static_cast<std::size_t>(static_cast<const char*>(newline) - text_.data());
  return {begin, end, end + 1};
}

// The next line for which the line condition holds.
bool FileSearcher::next_hit(std::size_t from, Line& line) {
  if (hits_) return next_known_hit(from, line);
  const std::string_view own = text_.substr(own_);
  while (matcher_.next_candidate(own, from - own_, line)) {
    line = {line.begin + own_, line.end + own_, line.behind + own_};
    const std::string_view text = text_.substr(line.begin, line.end - line.begin);
    if (options_.near > 0 ? is_near(text, number_of(line.begin)) : matcher_.accepts(text)) return true;
    from = line.behind;
  }
  return false;
}

bool FileSearcher::next_known_hit(std::size_t from, Line& line) {
  while (hit_at_ < hits_->size() && (*hits_)[hit_at_].begin + own_ < from) ++hit_at_;
  if (hit_at_ == hits_->size()) return false;
  const HitLine& hit = (*hits_)[hit_at_];
  line = {hit.begin + own_, hit.end + own_, std::min(hit.end + own_ + 1, text_.size())};
  return true;
}

void FileSearcher::advance_hit(std::size_t from) { has_hit_ = next_hit(from, hit_); }

bool FileSearcher::next_match(std::size_t from, Line& line) {
  if (!options_.invert) return next_hit(from, line);
  while (from < text_.size()) {
    if (!has_hit_ || from < hit_.begin) {
      line = line_at(from);
      return true;
    }
    from = hit_.behind;
    advance_hit(from);
  }
  return false;
}

std::uint64_t FileSearcher::number_of(std::size_t at) {
  if (at > counted_) {
    line_number_ += count_newlines(text_.substr(counted_, at - counted_));
  } else if (at < counted_) {
    line_number_ -= count_newlines(text_.substr(at, counted_ - at));
  }
  counted_ = at;
  return line_number_;
}

FoundLine FileSearcher::found_line(const Line& line) {
  return {text_.substr(line.begin, line.end - line.begin), offset_ + line.begin, options_.number_lines ? number_of(line.begin) : 0,
          line.behind > line.end, nullptr};
}

void FileSearcher::start_block(const LineBlock& block) {
  const std::uint64_t counted_offset = offset_ + counted_, shown_offset = offset_ + shown_;
  text_ = {block.before.data(), block.before.size() + block.text.size()};
  own_ = block.before.size();
  offset_ = block.offset - own_;
  counted_ = counted_offset > offset_ ? static_cast<std::size_t>(counted_offset - offset_) : 0;
  skipped_ = skipped_ || shown_offset < offset_;
  shown_ = shown_offset > offset_ ? static_cast<std::size_t>(shown_offset - offset_) : 0;
  has_hit_ = false;
  hits_ = block.hits;
  hit_at_ = 0;
  first_number_ = line_number_;
}

// The lines of the block are behind us.
void FileSearcher::end_block(const LineBlock& block) {
  if (!options_.number_lines) return;
  if (!block.newlines) {
    number_of(text_.size());
    return;
  }
  line_number_ = first_number_ + *block.newlines;
  counted_ = text_.size();
}

// Lines behind a match, up to `limit`.
void FileSearcher::give_after(Sink& sink, std::size_t limit) {
  while (after_left_ > 0 && shown_ < limit) {
    const Line line = line_at(shown_);
    sink.context(found_line(line), false);
    shown_ = line.behind;
    --after_left_;
  }
}

void FileSearcher::give_before(Sink& sink, std::size_t match_begin) {
  std::size_t first = match_begin;
  for (std::uint64_t i = 0; i < options_.before && first > shown_; ++i) first = line_begin(first - 1, shown_);
  if (any_shown_ && (first > shown_ || skipped_)) sink.gap();
  while (first < match_begin) {
    const Line line = line_at(first);
    sink.context(found_line(line), true);
    first = line.behind;
  }
}

// False when no further match of this file is wanted.
bool FileSearcher::take_match(Sink& sink, const Line& line) {
  if (result_.lines == options_.most) {
    result_.capped = true;
    return false;
  }
  ++result_.lines;
  if (!options_.only_count) {
    if (options_.after > 0) give_after(sink, line.begin);
    if (options_.before > 0 || options_.after > 0) give_before(sink, line.begin);
    if (!sink.match(found_line(line))) result_.stopped = true;
    shown_ = line.behind;
    any_shown_ = true;
    skipped_ = false;
    after_left_ = options_.after;
  }
  return !result_.stopped && (result_.lines < options_.most || options_.look_past);
}

// Behind the last wanted match: the lines of its context, of which those that match are shown as matches, as ripgrep does it.
void FileSearcher::give_tail(Sink& sink, std::size_t from) {
  Line hit;
  bool has_hit = !options_.look_past && next_match(from, hit);
  while (after_left_ > 0 && shown_ < text_.size()) {
    if (has_hit && hit.begin == shown_) {
      sink.match(found_line(hit));
      shown_ = hit.behind;
      --after_left_;
      has_hit = next_match(hit.behind, hit);
    } else {
      const std::uint64_t left = after_left_;
      after_left_ = 1;
      give_after(sink, text_.size());
      after_left_ = left - 1;
    }
  }
}

// False when the rest of the file does not matter.
bool FileSearcher::search_block(Sink& sink, std::size_t from) {
  if (from < text_.size()) {
    if (!hits_) matcher_.finder().start(text_.substr(own_));
    if (options_.invert) advance_hit(from);
    Line line;
    while (!draining_ && next_match(from, line)) {
      draining_ = !take_match(sink, line);
      if (result_.stopped) return false;
      from = line.behind;
    }
  }
  if (draining_ && after_left_ > 0) give_tail(sink, from);
  if (after_left_ > 0) give_after(sink, text_.size());
  return !draining_ || after_left_ > 0;
}

Result<ScanResult> FileSearcher::search(BlockStream& reader, Sink& sink, const GoOn& go_on, std::uint64_t from) {
  result_ = {};
  offset_ = 0;
  counted_ = shown_ = 0;
  line_number_ = 1;
  after_left_ = 0;
  any_shown_ = skipped_ = draining_ = false;
  bool at_line = from == 0;  // whether the line that holds byte from - 1 has ended
  LineBlock block;
  while (true) {
    RAGLINE_TRY(const bool more, reader.next(block));
    if (!more) break;
    start_block(block);
    const std::uint64_t end = offset_ + text_.size();
    std::size_t begin = own_;
    if (!at_line && end >= from) {
      const std::uint64_t last = offset_ + own_ >= from ? offset_ + own_ : from - 1;
      begin = line_at(static_cast<std::size_t>(last - offset_)).behind;
      at_line = begin < text_.size() || text_.ends_with('\n');
      shown_ = begin;
    } else if (!at_line) {
      begin = text_.size();
    }
    const bool go = search_block(sink, begin);
    result_.bytes = end;
    if (!go) return result_;
    if (block.last) break;
    if (!go_on(end)) {
      result_.stopped = true;
      return result_;
    }
    end_block(block);
  }
  return result_;
}

}  // namespace ragline
