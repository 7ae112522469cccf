#include "grep/block_reader.h"

#include <algorithm>
#include <cstring>

#include "core/utf8.h"

namespace ragline {

std::size_t last_lines(std::string_view text, std::uint64_t lines) {
  std::size_t at = text.size();
  for (std::uint64_t line = 0; line < lines && at > 0; ++line) at = text.substr(0, at - 1).rfind('\n') + 1;
  return at;
}

BlockReader::BlockReader(const BlockOptions& options)
    : options_(options), buffer_(aligned_buffer(options.block_bytes)), capacity_(options.block_bytes) {}

void BlockReader::start(ByteSource& source) {
  source_ = &source;
  kept_ = begin_ = end_ = 0;
  offset_ = 0;
  ended_ = in_long_line_ = false;
  long_lines_ = 0;
}

void BlockReader::start_at(ByteSource& source, std::uint64_t offset, std::string_view before) {
  start(source);
  if (before.size() >= capacity_) grow(2 * before.size());
  if (!before.empty()) std::memcpy(buffer_.get(), before.data(), before.size());
  begin_ = end_ = before.size();
  offset_ = offset;
}

Status BlockReader::fill() {
  // Never more than the longest line, so that where a line is cut depends on the text alone, not on how large the buffer has grown.
  const std::size_t room = std::min(capacity_ - end_, options_.most_line_bytes - std::min(options_.most_line_bytes, end_ - begin_));
  RAGLINE_TRY(const std::size_t got, source_->read(buffer_.get() + end_, room));
  ended_ = got == 0 || source_->ended();
  end_ += got;
  return {};
}

// Moves what is needed to the front; grows only when that is the whole buffer already.
void BlockReader::make_room() {
  const std::size_t front = (kBufferAlign - (end_ - kept_) % kBufferAlign) % kBufferAlign;  // so that reading goes on at an even place
  if (kept_ > front) {
    std::memmove(buffer_.get() + front, buffer_.get() + kept_, end_ - kept_);
    begin_ -= kept_ - front;
    end_ -= kept_ - front;
    kept_ = front;
  }
  if (end_ * 2 > capacity_) grow(capacity_ * 2);
}

void BlockReader::grow(std::size_t capacity) {
  AlignedBuffer larger = aligned_buffer(capacity);
  if (end_ > 0) std::memcpy(larger.get(), buffer_.get(), end_);
  buffer_ = std::move(larger);
  capacity_ = capacity;
}

Result<std::string_view> BlockReader::peek() {
  if (begin_ == end_ && !ended_) RAGLINE_CHECK(fill());
  return std::string_view(buffer_.get() + begin_, end_ - begin_);
}

void BlockReader::skip(std::size_t bytes) { kept_ = begin_ += bytes; }

Result<bool> BlockReader::next(LineBlock& block) {
  std::size_t searched = begin_;  // no newline before it
  while (true) {
    const std::string_view unseen(buffer_.get() + searched, end_ - searched);
    const std::size_t newline = unseen.rfind('\n');
    std::size_t end = end_;
    if (newline != unseen.npos) {
      // At the very end of the file nothing is held back; before it, the tail waits for its newline.
      if (!ended_) end = searched + newline + 1;
    } else if (!ended_ && end_ - begin_ < options_.most_line_bytes) {
      if (end_ == capacity_) make_room();
      searched = end_;
      RAGLINE_CHECK(fill());
      continue;
    } else if (!ended_) {
      end = begin_ + utf8_floor({buffer_.get() + begin_, end_ - begin_}, options_.most_line_bytes);
      if (!in_long_line_) ++long_lines_;
    }
    if (end == begin_) return false;
    in_long_line_ = newline == unseen.npos && !ended_;
    const bool last = ended_ && end == end_;
    block = {{buffer_.get() + begin_, end - begin_}, {buffer_.get() + kept_, begin_ - kept_}, offset_, last};
    offset_ += end - begin_;
    begin_ = end;
    // The views stay valid until the next call, which moves things: kept_ is settled there by what was given.
    kept_ += last_lines({buffer_.get() + kept_, begin_ - kept_}, options_.keep_lines);
    return true;
  }
}

}  // namespace ragline
