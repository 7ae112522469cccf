// The four stream formats behind one loop: each codec turns input in hand into output.
#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <cstring>

#include "grep/byte_source.h"

namespace ragline {

namespace {

// Input not yet consumed, and room for output; both shrink as a codec works.
struct Work {
  const char* in;
  std::size_t in_size;
  char* out;
  std::size_t out_size;
};

enum class Progress { kMore, kStreamEnd, kBroken };

class Gzip {
 public:
  Gzip() { inflateInit2(&stream_, 15 + 16); }
  ~Gzip() { inflateEnd(&stream_); }
  Progress run(Work& work, bool) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(work.in));
    stream_.avail_in = static_cast<uInt>(work.in_size);
    stream_.next_out = reinterpret_cast<Bytef*>(work.out);
    stream_.avail_out = static_cast<uInt>(work.out_size);
    const int code = inflate(&stream_, Z_NO_FLUSH);
    work = {reinterpret_cast<const char*>(stream_.next_in), stream_.avail_in, reinterpret_cast<char*>(stream_.next_out),
            stream_.avail_out};
    if (code == Z_STREAM_END) return Progress::kStreamEnd;
    return code == Z_OK || code == Z_BUF_ERROR ? Progress::kMore : Progress::kBroken;
  }
  void again() { inflateReset(&stream_); }

 private:
  z_stream stream_{};
};

class Bzip2 {
 public:
  Bzip2() { BZ2_bzDecompressInit(&stream_, 0, 0); }
  ~Bzip2() { BZ2_bzDecompressEnd(&stream_); }
  Progress run(Work& work, bool) {
    stream_.next_in = const_cast<char*>(work.in);
    stream_.avail_in = static_cast<unsigned>(work.in_size);
    stream_.next_out = work.out;
    stream_.avail_out = static_cast<unsigned>(work.out_size);
    const int code = BZ2_bzDecompress(&stream_);
    work = {stream_.next_in, stream_.avail_in, stream_.next_out, stream_.avail_out};
    if (code == BZ_STREAM_END) return Progress::kStreamEnd;
    return code == BZ_OK ? Progress::kMore : Progress::kBroken;
  }
  void again() {
    BZ2_bzDecompressEnd(&stream_);
    stream_ = {};
    BZ2_bzDecompressInit(&stream_, 0, 0);
  }

 private:
  bz_stream stream_{};
};

class Xz {
 public:
  Xz() { again(); }
  ~Xz() { lzma_end(&stream_); }
  Progress run(Work& work, bool ended) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(work.in);
    stream_.avail_in = work.in_size;
    stream_.next_out = reinterpret_cast<std::uint8_t*>(work.out);
    stream_.avail_out = work.out_size;
    const lzma_ret code = lzma_code(&stream_, ended ? LZMA_FINISH : LZMA_RUN);
    work = {reinterpret_cast<const char*>(stream_.next_in), stream_.avail_in, reinterpret_cast<char*>(stream_.next_out),
            stream_.avail_out};
    if (code == LZMA_STREAM_END) return Progress::kStreamEnd;
    return code == LZMA_OK || code == LZMA_BUF_ERROR ? Progress::kMore : Progress::kBroken;
  }
  void again() {
    lzma_end(&stream_);
    stream_ = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&stream_, kMemory, 0) != LZMA_OK) stream_ = LZMA_STREAM_INIT;
  }

 private:
  static constexpr std::uint64_t kMemory = 128 << 20;
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class Zstd {
 public:
  Zstd() : context_(ZSTD_createDCtx()) { ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, kWindowLog); }
  ~Zstd() { ZSTD_freeDCtx(context_); }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;
  Progress run(Work& work, bool) {
    ZSTD_inBuffer in{work.in, work.in_size, 0};
    ZSTD_outBuffer out{work.out, work.out_size, 0};
    const std::size_t code = ZSTD_decompressStream(context_, &out, &in);
    work = {work.in + in.pos, work.in_size - in.pos, work.out + out.pos, work.out_size - out.pos};
    if (ZSTD_isError(code)) return Progress::kBroken;
    return code == 0 ? Progress::kStreamEnd : Progress::kMore;
  }
  void again() { ZSTD_DCtx_reset(context_, ZSTD_reset_session_only); }

 private:
  static constexpr int kWindowLog = 27;  // 128 MB, zstd's own default bound
  ZSTD_DCtx* context_;
};

template <class Codec>
class Decompressed : public ByteSource {
 public:
  explicit Decompressed(std::unique_ptr<ByteSource> raw) : raw_(std::move(raw)), input_(64 << 10, '\0') {}

  Result<std::size_t> read(char* to, std::size_t size) override {
    Work work{input_.data() + at_, held_ - at_, to, size};
    while (work.out_size == size && !done_) {
      if (work.in_size == 0 && !ended_) {
        RAGLINE_TRY(held_, raw_->read(input_.data(), input_.size()));
        ended_ = held_ == 0;
        work.in = input_.data();
        work.in_size = held_;
      }
      if (ended_ && work.in_size == 0 && between_) {
        done_ = true;
        break;
      }
      const std::size_t before = work.in_size;
      const Progress progress = codec_.run(work, ended_);
      const bool stuck = ended_ && work.in_size == before && work.out_size == size;
      if (progress == Progress::kBroken || (stuck && progress == Progress::kMore))
        return fail(ErrorKind::kData, ended_ ? "the compressed stream is cut off" : "the compressed stream is damaged");
      between_ = progress == Progress::kStreamEnd;
      if (between_) codec_.again();
    }
    at_ = static_cast<std::size_t>(work.in - input_.data());
    return size - work.out_size;
  }

 private:
  std::unique_ptr<ByteSource> raw_;
  std::string input_;
  std::size_t at_ = 0, held_ = 0;
  bool ended_ = false, done_ = false, between_ = false;
  Codec codec_;
};

}  // namespace

std::string_view compression_of(std::string_view head) {
  using namespace std::string_view_literals;
  if (head.starts_with("\x1F\x8B"sv)) return "gzip";
  if (head.starts_with("\x28\xB5\x2F\xFD"sv)) return "zstd";
  if (head.starts_with("\xFD"
                       "7zXZ\0"sv))
    return "xz";
  if (head.starts_with("BZh"sv)) return "bzip2";
  return "";
}

std::unique_ptr<ByteSource> decompress(std::unique_ptr<ByteSource> raw, std::string_view format) {
  if (format == "gzip") return std::make_unique<Decompressed<Gzip>>(std::move(raw));
  if (format == "zstd") return std::make_unique<Decompressed<Zstd>>(std::move(raw));
  if (format == "xz") return std::make_unique<Decompressed<Xz>>(std::move(raw));
  return std::make_unique<Decompressed<Bzip2>>(std::move(raw));
}

}  // namespace ragline
