#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"

// Where the bytes of a search come from: a file, and what can be put around it. Pull streams; one thread.
namespace ragline {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Up to `size` bytes; 0 is the end for good. kIo, with errno's text alone; kData for a broken compressed stream.
  virtual Result<std::size_t> read(char* to, std::size_t size) = 0;
  // That the next read is known to give 0.
  virtual bool ended() const { return false; }
};

// A descriptor, which stays the caller's. `short_read_ends`: fewer bytes than asked mean the end, as regular files of local file
// systems have it; saves a system call a file.
class FileSource : public ByteSource {
 public:
  FileSource(int descriptor, bool short_read_ends) : descriptor_(descriptor), short_read_ends_(short_read_ends) {}
  Result<std::size_t> read(char* to, std::size_t size) override;
  bool ended() const override { return ended_; }

 private:
  int descriptor_;
  bool short_read_ends_, ended_ = false;
};

// Bytes in hand.
class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}
  Result<std::size_t> read(char* to, std::size_t size) override;
  bool ended() const override { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

// `head`, then `rest`.
std::unique_ptr<ByteSource> prepend(std::string head, std::unique_ptr<ByteSource> rest);
// UTF-8 of what `raw` gives in `encoding` (a name that decode_as knows).
std::unique_ptr<ByteSource> transcode(std::unique_ptr<ByteSource> raw, std::string encoding);

// "gzip", "zstd", "xz", "bzip2" by the first bytes; "" for others.
std::string_view compression_of(std::string_view head);
// What `raw` unpacks to. `format` is one that compression_of names. Several streams one after the other are one.
std::unique_ptr<ByteSource> decompress(std::unique_ptr<ByteSource> raw, std::string_view format);

}  // namespace ragline
