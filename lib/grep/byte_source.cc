#include "grep/byte_source.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "corpus/decode.h"

namespace ragline {

Result<std::size_t> FileSource::read(char* to, std::size_t size) {
  if (ended_) return 0;
  while (true) {
    const ssize_t got = ::read(descriptor_, to, size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(ErrorKind::kIo, std::strerror(errno));
    ended_ = got == 0 || (short_read_ends_ && static_cast<std::size_t>(got) < size);
    return static_cast<std::size_t>(got);
  }
}

Result<std::size_t> MemorySource::read(char* to, std::size_t size) {
  const std::size_t given = std::min(size, bytes_.size());
  if (given > 0) std::memcpy(to, bytes_.data(), given);
  bytes_.remove_prefix(given);
  return given;
}

namespace {

class Prepended : public ByteSource {
 public:
  Prepended(std::string head, std::unique_ptr<ByteSource> rest) : head_(std::move(head)), rest_(std::move(rest)) {}
  Result<std::size_t> read(char* to, std::size_t size) override {
    if (at_ == head_.size()) return rest_->read(to, size);
    const std::size_t given = std::min(size, head_.size() - at_);
    std::memcpy(to, head_.data() + at_, given);
    at_ += given;
    return given;
  }

 private:
  std::string head_;
  std::size_t at_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

// Converts a piece at a time; a piece ends between code units, and never between the halves of a surrogate pair.
class Transcoded : public ByteSource {
 public:
  Transcoded(std::unique_ptr<ByteSource> raw, std::string encoding) : raw_(std::move(raw)), encoding_(std::move(encoding)) {}

  Result<std::size_t> read(char* to, std::size_t size) override {
    while (at_ == ready_.size()) {
      if (ended_) return 0;
      RAGLINE_CHECK(fill());
    }
    const std::size_t given = std::min(size, ready_.size() - at_);
    std::memcpy(to, ready_.data() + at_, given);
    at_ += given;
    return given;
  }

 private:
  static constexpr std::size_t kPiece = 32 << 10;

  Status fill() {
    const std::size_t before = held_.size();
    held_.resize(before + kPiece);
    RAGLINE_TRY(const std::size_t got, raw_->read(held_.data() + before, kPiece));
    held_.resize(before + got);
    ended_ = got == 0;
    const std::size_t whole = ended_ ? held_.size() : whole_units();
    ready_ = decode_as(std::string_view(held_).substr(0, whole), encoding_);
    at_ = 0;
    held_.erase(0, whole);
    return {};
  }

  std::size_t whole_units() const {
    if (encoding_.starts_with("utf-32")) return held_.size() & ~std::size_t{3};
    if (!encoding_.starts_with("utf-16")) return held_.size();
    const std::size_t even = held_.size() & ~std::size_t{1};
    if (even == 0) return 0;
    const auto high = static_cast<unsigned char>(held_[encoding_ == "utf-16le" ? even - 1 : even - 2]);
    return (high & 0xFC) == 0xD8 ? even - 2 : even;
  }

  std::unique_ptr<ByteSource> raw_;
  std::string encoding_, held_, ready_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> prepend(std::string head, std::unique_ptr<ByteSource> rest) {
  return std::make_unique<Prepended>(std::move(head), std::move(rest));
}

std::unique_ptr<ByteSource> transcode(std::unique_ptr<ByteSource> raw, std::string encoding) {
  return std::make_unique<Transcoded>(std::move(raw), std::move(encoding));
}

}  // namespace ragline
