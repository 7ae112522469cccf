#include "grep/block_reader.h"

#include <algorithm>
#include <cstring>

#include "core/utf8.h"

namespace ragline {

BlockReader::BlockReader(const BlockOptions& options)
    : options_(options), buffer_(std::make_unique_for_overwrite<char[]>(options.block_bytes)), capacity_(options.block_bytes) {}

void BlockReader::start(ByteSource& source) {
  source_ = &source;
  kept_ = begin_ = end_ = 0;
  offset_ = 0;
  ended_ = in_long_line_ = false;
  long_lines_ = 0;
}

Status BlockReader::fill() {
  RAGLINE_TRY(const std::size_t got, source_->read(buffer_.get() + end_, capacity_ - end_));
  ended_ = got == 0 || source_->ended();
  end_ += got;
  return {};
}

// Moves what is needed to the front; grows only when that is the whole buffer already.
void BlockReader::make_room() {
  if (kept_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + kept_, end_ - kept_);
    begin_ -= kept_;
    end_ -= kept_;
    kept_ = 0;
  }
  if (end_ * 2 <= capacity_) return;
  auto larger = std::make_unique_for_overwrite<char[]>(capacity_ * 2);
  std::memcpy(larger.get(), buffer_.get(), end_);
  buffer_ = std::move(larger);
  capacity_ *= 2;
}

Result<std::string_view> BlockReader::peek() {
  if (begin_ == end_ && !ended_) RAGLINE_CHECK(fill());
  return std::string_view(buffer_.get() + begin_, end_ - begin_);
}

void BlockReader::skip(std::size_t bytes) { kept_ = begin_ += bytes; }

// Where the last keep_lines lines before `at` begin.
std::size_t BlockReader::kept_before(std::size_t at) const {
  for (std::uint64_t line = 0; line < options_.keep_lines && at > kept_; ++line) {
    const std::string_view earlier(buffer_.get() + kept_, at - kept_ - 1);
    const std::size_t newline = earlier.rfind('\n');
    at = newline == earlier.npos ? kept_ : kept_ + newline + 1;
  }
  return at;
}

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
      searched = end_;
      if (end_ == capacity_) {
        searched -= kept_;
        make_room();
      }
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
    kept_ = kept_before(begin_);
    return true;
  }
}

}  // namespace ragline
