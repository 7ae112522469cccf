#include "eval/input.h"

#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include "catch.h"

using namespace ragline;

namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string lz4(const std::string& text) {
  std::string out(LZ4F_compressFrameBound(text.size(), nullptr), '\0');
  out.resize(LZ4F_compressFrame(out.data(), out.size(), text.data(), text.size(), nullptr));
  return out;
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 60000; ++i) text += "q" + std::to_string(i) + " Q0 d 1 2 tag\n";
  return text;
}

}  // namespace

TEST_CASE("packed text comes out as it went in") {
  for (const std::string& text : {std::string(), std::string("a\n"), long_text()}) {
    CHECK(unpack(gzip(text)) == text);
    CHECK(unpack(zstd(text)) == text);
    CHECK(unpack(lz4(text)) == text);
  }
  CHECK(unpack("plain") == std::string("plain"));
}

TEST_CASE("several members and frames follow each other") {
  CHECK(unpack(gzip("one\n") + gzip("two\n")) == std::string("one\ntwo\n"));
  CHECK(unpack(zstd("one\n") + zstd("two\n")) == std::string("one\ntwo\n"));
  CHECK(unpack(lz4("one\n") + lz4("two\n")) == std::string("one\ntwo\n"));
}

TEST_CASE("ranx packs CBOR twice") {
  CHECK(unpack(lz4(lz4("\xa1\x61q\xa1\x61"
                       "d\x02"))) == std::string(R"({"q":{"d":2}})"));
  CHECK(!unpack(lz4(lz4("\xa1\x61q"))));
}

TEST_CASE("Parquet is refused with what converts it") {
  const auto text = unpack("PAR1....");
  REQUIRE_FALSE(text);
  CHECK(text.error().kind == ErrorKind::kData);
  CHECK(text.error().message.find("ranx") != std::string::npos);
}

TEST_CASE("packed data that is cut short or damaged is refused") {
  for (const std::string& packed : {gzip(long_text()), zstd(long_text()), lz4(long_text())}) {
    const auto cut = unpack(std::string_view(packed).substr(0, packed.size() / 2));
    REQUIRE_FALSE(cut);
    CHECK(cut.error().kind == ErrorKind::kData);
    CHECK(cut.error().message.find("it ends too early") != std::string::npos);
    std::string broken = packed;  // behind the magic, where both keep what they cannot do without
    for (std::size_t i = 6; i < 40; ++i) broken[i] = static_cast<char>(broken[i] ^ 0x5a);
    CHECK_FALSE(unpack(broken));
  }
}

TEST_CASE("an error names the line") {
  const InputText text("run", "one\ntwo\nthree\n");
  const char* at = text.bytes().data();
  CHECK(text.line_of(at) == 1);
  CHECK(text.error_at(at + 4, "odd").message == "run:2: odd");
  CHECK(text.error_at("elsewhere", "odd").message == "run: odd");
}

TEST_CASE("a file that is not there") {
  const auto text = InputText::open("/nonexistent/run");
  REQUIRE_FALSE(text);
  CHECK(text.error().kind == ErrorKind::kNotFound);
}
