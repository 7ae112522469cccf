#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

// zstd, one block at a time: the only place that knows the compressor.
namespace ragline {

// Owns one compression context. Threads: one object per thread.
class BlockCompressor {
 public:
  BlockCompressor();
  ~BlockCompressor();
  BlockCompressor(const BlockCompressor&) = delete;
  BlockCompressor& operator=(const BlockCompressor&) = delete;
  // Appends one zstd frame, which states the size of `raw`; returns its length.
  std::size_t append(std::string& out, std::string_view raw);

 private:
  void* context_;
};

// Replaces `raw` by the contents of one frame. False when the frame is damaged or does not hold
// exactly `raw_size` bytes; then nothing of a size that the frame could not hold was allocated.
bool decompress_block(std::string_view frame, std::size_t raw_size, std::string& raw);

}  // namespace ragline
