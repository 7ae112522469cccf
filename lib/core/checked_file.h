#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/hash.h"
#include "core/result.h"
#include "core/storage.h"

// The envelope of every index file, little-endian:
//
//   offset 0   8 bytes   magic "RAGLINE\n"
//          8   4 bytes   kind, four letters ("TERM", "POST", ...)
//         12   4 bytes   format version of that kind
//         16   n bytes   payload
//       16+n   8 bytes   n
//       24+n   8 bytes   XXH3-64 of all bytes before this field
//
// Opening checks magic, kind, version and length: what a torn write breaks. The checksum is read by verify(), since
// reading whole files on every search would cost more than the search.
namespace ragline {

inline constexpr std::size_t kFileHeader = 16, kFileFooter = 16;

// Writes one such file. The file is only whole after finish(), which also makes it durable.
class CheckedWriter {
 public:
  static Result<CheckedWriter> create(Storage& storage, std::string_view name, std::string_view kind,
                                      std::uint32_t version);
  Status append(std::string_view bytes);
  // Bytes of payload so far: the offset of what is appended next.
  std::uint64_t offset() const { return offset_; }
  // Zero bytes up to a multiple of `alignment` from the start of the file.
  Status align(std::size_t alignment);
  Status finish();

 private:
  CheckedWriter() = default;
  std::unique_ptr<WritableFile> file_;
  std::unique_ptr<Hasher> hasher_;
  std::uint64_t offset_ = 0;
};

class CheckedFile {
 public:
  // `version` is the newest that the caller reads; a newer file is kVersion ("... written by a newer ragline: update it").
  static Result<CheckedFile> open(const Storage& storage, std::string_view name, std::string_view kind,
                                  std::uint32_t version);
  std::string_view payload() const { return payload_; }
  std::uint32_t version() const { return version_; }
  // Reads every byte. kCorrupt names the file.
  Status verify() const;

 private:
  std::shared_ptr<const MappedFile> map_;
  std::string_view payload_;
  std::string where_;
  std::uint32_t version_ = 0;
};

}  // namespace ragline
