#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "grep/byte_source.h"

namespace ragline {

// A buffer at a multiple of kBufferAlign: the kernel copies to such places up to three times as fast as to others.
inline constexpr std::size_t kBufferAlign = 64;
struct FreeAligned {
  void operator()(char* bytes) const { ::operator delete[](bytes, std::align_val_t{kBufferAlign}); }
};
using AlignedBuffer = std::unique_ptr<char[], FreeAligned>;
inline AlignedBuffer aligned_buffer(std::size_t size) {
  return AlignedBuffer(static_cast<char*>(::operator new[](size, std::align_val_t{kBufferAlign})));
}

// A line for which the line condition is known to hold, by its place in a block.
struct HitLine {
  std::uint32_t begin = 0, end = 0;  // without its newline
};

// Text to search: whole lines, of which only the last of a file (or a piece of a line that is too long) may lack its newline.
struct LineBlock {
  std::string_view text;
  std::string_view before;   // the lines right before `text`, as many as were asked to be kept
  std::uint64_t offset = 0;  // of text[0] in the canonical text
  bool last = false;
  // What another thread has found out about `text` in advance, where one has: its hits, ascending, and its newlines.
  const std::vector<HitLine>* hits = nullptr;
  std::optional<std::uint64_t> newlines{};
};

// Blocks in the order of the text. Views last until the next call.
class BlockStream {
 public:
  virtual ~BlockStream() = default;
  // False at the end; an empty file has no block.
  virtual Result<bool> next(LineBlock& block) = 0;
};

// Where the last `lines` lines of `text` begin.
std::size_t last_lines(std::string_view text, std::uint64_t lines);

struct BlockOptions {
  std::size_t block_bytes = 128 << 10;
  std::size_t most_line_bytes = 1 << 20;  // a longer line comes in pieces of about this size, cut between characters, always there
  std::uint64_t keep_lines = 0;           // for LineBlock::before
};

// Cuts a stream into blocks of whole lines in one buffer that is used again for every file. Memory: the buffer, which grows to
// the longest line or to most_line_bytes.
class BlockReader : public BlockStream {
 public:
  explicit BlockReader(const BlockOptions& options);
  // Starts on a file. `source` outlives the reading.
  void start(ByteSource& source);
  // The same in the middle of a file: `source` goes on at `offset`, a line's begin; `before` are the lines to be kept before it.
  void start_at(ByteSource& source, std::uint64_t offset, std::string_view before);
  // Bytes that next() would give first, read now: for a look at what the file is. The view lasts until the next call. `skip` drops
  // that many of them for good.
  Result<std::string_view> peek();
  void skip(std::size_t bytes);
  Result<bool> next(LineBlock& block) override;
  // Lines that were cut into pieces since start().
  std::uint64_t long_lines() const { return long_lines_; }

 private:
  Status fill();
  void make_room();
  void grow(std::size_t capacity);

  BlockOptions options_;
  ByteSource* source_ = nullptr;
  AlignedBuffer buffer_;
  std::size_t capacity_ = 0;
  std::size_t kept_ = 0, begin_ = 0, end_ = 0;  // lines kept, text not yet given, end of what was read
  std::uint64_t offset_ = 0;                    // of begin_
  bool ended_ = false, in_long_line_ = false;
  std::uint64_t long_lines_ = 0;
};

}  // namespace ragline
