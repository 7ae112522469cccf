#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "grep/byte_source.h"

namespace ragline {

// Text to search: whole lines, of which only the last of a file (or a piece of a line that is too long) may lack its newline.
struct LineBlock {
  std::string_view text;
  std::string_view before;   // the lines right before `text`, as many as were asked to be kept
  std::uint64_t offset = 0;  // of text[0] in the canonical text
  bool last = false;
};

struct BlockOptions {
  std::size_t block_bytes = 128 << 10;
  std::size_t most_line_bytes = 1 << 20;  // a longer line comes in pieces of about this size, cut between characters
  std::uint64_t keep_lines = 0;           // for LineBlock::before
};

// Cuts a stream into blocks of whole lines in one buffer that is used again for every file. Memory: the buffer, which grows to
// the longest line or to most_line_bytes.
class BlockReader {
 public:
  explicit BlockReader(const BlockOptions& options);
  // Starts on a file. `source` outlives the reading.
  void start(ByteSource& source);
  // Bytes that next() would give first, read now: for a look at what the file is. The view lasts until the next call. `skip` drops
  // that many of them for good.
  Result<std::string_view> peek();
  void skip(std::size_t bytes);
  // False at the end; an empty file has no block.
  Result<bool> next(LineBlock& block);
  // Lines that were cut into pieces since start().
  std::uint64_t long_lines() const { return long_lines_; }

 private:
  Status fill();
  void make_room();
  std::size_t kept_before(std::size_t at) const;

  BlockOptions options_;
  ByteSource* source_ = nullptr;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t kept_ = 0, begin_ = 0, end_ = 0;  // lines kept, text not yet given, end of what was read
  std::uint64_t offset_ = 0;                    // of begin_
  bool ended_ = false, in_long_line_ = false;
  std::uint64_t long_lines_ = 0;
};

}  // namespace ragline
