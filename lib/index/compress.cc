#include "index/compress.h"

#include <zstd.h>

#include <new>

namespace ragline {

namespace {

// Level 1 compresses several times as fast as the rest of indexing runs; level 3 makes text about 3
// % smaller for twice the time.
constexpr int kLevel = 1;
// A frame's blocks hold at most 128 kB each and take at least 4 bytes.
constexpr std::size_t kMostPerByte = 32768;

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

}  // namespace

BlockCompressor::BlockCompressor() : context_(ZSTD_createCCtx()) {
  if (!context_) throw std::bad_alloc();
}
BlockCompressor::~BlockCompressor() { ZSTD_freeCCtx(static_cast<ZSTD_CCtx*>(context_)); }

std::size_t BlockCompressor::append(std::string& out, std::string_view raw) {
  const std::size_t start = out.size();
  out.resize(start + ZSTD_compressBound(raw.size()));
  // Cannot fail: the bound was asked for, and the level is valid.
  const std::size_t size = ZSTD_compressCCtx(static_cast<ZSTD_CCtx*>(context_), out.data() + start,
                                             out.size() - start, raw.data(), raw.size(), kLevel);
  if (ZSTD_isError(size)) throw std::bad_alloc();
  out.resize(start + size);
  return size;
}

bool decompress_block(std::string_view frame, std::size_t raw_size, std::string& raw) {
  if (raw_size > kMostPerByte * frame.size()) return false;
  if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != raw_size) return false;
  thread_local std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  if (!context) throw std::bad_alloc();
  raw.resize(raw_size);
  return ZSTD_decompressDCtx(context.get(), raw.data(), raw_size, frame.data(), frame.size()) ==
         raw_size;
}

}  // namespace ragline
