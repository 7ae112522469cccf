#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

#include "core/text.h"
#include "eval/cbor.h"
#include "eval/input.h"

namespace ragline {

namespace {

constexpr std::string_view kGzip = "\x1f\x8b", kZstd = "\x28\xb5\x2f\xfd",
                           kLz4 = "\x04\x22\x4d\x18", kParquet = "PAR1";
constexpr std::size_t kBlock = std::size_t{1} << 18;

std::unexpected<Error> damaged(std::string_view format, std::string_view what) {
  return fail(ErrorKind::kData, cat("the ", format, " data is damaged: ", what,
                                    ": make the file again, or fetch it again"));
}

Result<std::string> unpack_gzip(std::string_view packed) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return damaged("gzip", "no memory");
  const std::unique_ptr<z_stream, void (*)(z_stream*)> closer(
      &stream, [](z_stream* s) { (void)inflateEnd(s); });
  std::string out;
  std::size_t given = 0;  // avail_in has 32 bits: the input goes in by pieces
  while (true) {
    if (stream.avail_in == 0 && given < packed.size()) {
      const std::size_t piece = std::min(packed.size() - given, std::size_t{1} << 30);
      // zlib reads through this pointer only.
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + given));
      stream.avail_in = static_cast<uInt>(piece);
      given += piece;
    }
    const std::size_t used = out.size();
    out.resize(used + kBlock);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + used);
    stream.avail_out = static_cast<uInt>(kBlock);
    const int status = inflate(&stream, Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
    const bool more = stream.avail_in > 0 || given < packed.size();
    if (status == Z_STREAM_END) {
      if (!more) return out;
      if (inflateReset(&stream) != Z_OK) return damaged("gzip", "a broken member");
    } else if (status == Z_BUF_ERROR || (status == Z_OK && !more && stream.avail_out > 0)) {
      return damaged("gzip", "it ends too early");
    } else if (status != Z_OK) {
      return damaged("gzip", stream.msg ? stream.msg : "not gzip");
    }
  }
}

Result<std::string> unpack_zstd(std::string_view packed) {
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                             ZSTD_freeDStream);
  if (!stream) return damaged("zstd", "no memory");
  std::string out;
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t wanted = 1;
  while (in.pos < in.size || wanted != 0) {
    const std::size_t used = out.size(), taken = in.pos;
    out.resize(used + kBlock);
    ZSTD_outBuffer block{out.data() + used, kBlock, 0};
    wanted = ZSTD_decompressStream(stream.get(), &block, &in);
    out.resize(used + block.pos);
    if (ZSTD_isError(wanted)) return damaged("zstd", ZSTD_getErrorName(wanted));
    if (wanted != 0 && in.pos == taken && block.pos == 0)
      return damaged("zstd", "it ends too early");
  }
  return out;
}

Result<std::string> unpack_lz4(std::string_view packed) {
  LZ4F_dctx* context = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)))
    return damaged("lz4", "no memory");
  const std::unique_ptr<LZ4F_dctx, LZ4F_errorCode_t (*)(LZ4F_dctx*)> closer(
      context, LZ4F_freeDecompressionContext);
  std::string out;
  std::size_t taken = 0, wanted = 1;
  while (taken < packed.size() || wanted != 0) {
    const std::size_t used = out.size();
    out.resize(used + kBlock);
    std::size_t made = kBlock, eaten = packed.size() - taken;
    wanted =
        LZ4F_decompress(context, out.data() + used, &made, packed.data() + taken, &eaten, nullptr);
    out.resize(used + (LZ4F_isError(wanted) ? 0 : made));
    if (LZ4F_isError(wanted)) return damaged("lz4", LZ4F_getErrorName(wanted));
    taken += eaten;
    if (wanted != 0 && eaten == 0 && made == 0) return damaged("lz4", "it ends too early");
  }
  return out;
}

// ranx packs twice, and what it packs is CBOR.
Result<std::string> unpack_ranx(std::string_view packed) {
  RAGLINE_TRY(std::string plain, unpack_lz4(packed));
  if (plain.starts_with(kLz4)) {
    RAGLINE_TRY(plain, unpack_lz4(plain));
  }
  return is_cbor_map(plain) ? cbor_to_json(plain) : plain;
}

}  // namespace

bool is_packed(std::string_view bytes) {
  return bytes.starts_with(kGzip) || bytes.starts_with(kZstd) || bytes.starts_with(kLz4) ||
         bytes.starts_with(kParquet);
}

Result<std::string> unpack(std::string_view packed) {
  if (packed.starts_with(kGzip)) return unpack_gzip(packed);
  if (packed.starts_with(kZstd)) return unpack_zstd(packed);
  if (packed.starts_with(kLz4)) return unpack_ranx(packed);
  if (packed.starts_with(kParquet))
    return fail(ErrorKind::kData,
                "Parquet is not read: write it as JSON first, such as with ranx: "
                "Run.from_file('run.parquet').save('run.json'), and the same with Qrels");
  return std::string(packed);
}

}  // namespace ragline
