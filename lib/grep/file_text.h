#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "corpus/walk.h"
#include "grep/block_reader.h"
#include "grep/byte_source.h"

namespace ragline {

struct TextOptions {
  bool binary_as_text = false;
  std::string encoding = "auto";
  bool decompress = false;
};

// From an open descriptor to the canonical text of the file, block by block, by one rule for every way of searching and printing:
//
//   a byte-order mark            UTF-8: taken off; UTF-16 and UTF-32: converted
//   NUL in the first 8 KiB       UTF-16 when it reads as such, else binary: skipped, unless binary_as_text
//   anything else                is text as it is: ill-formed UTF-8 and a NUL later on do not make it binary
class FileText {
 public:
  FileText(const TextOptions& options, const BlockOptions& blocks) : options_(options), reader_(blocks) {}

  // Starts on a file. `short_read_ends` as for FileSource. The descriptor stays the caller's. False: it is binary.
  Result<bool> open(int descriptor, bool short_read_ends);
  // The same file from its beginning. An input that cannot be rewound (a pipe) must have been opened with `again` in mind:
  // open_twice() holds it in memory, up to 256 MB (kLimit).
  Result<bool> reopen();
  Result<bool> open_twice(int descriptor, bool short_read_ends);

  // For a regular file that is text as it stands, and goes on behind what was read of it to find that out: its size. Else 0.
  std::uint64_t plain_size() const;
  // Goes on at `offset` of such a file, as BlockReader::start_at().
  Status start_at(std::uint64_t offset, std::string_view before);

  BlockReader& reader() { return reader_; }
  // "" when the canonical text is the file; else "utf-16le", "gzip", ...
  const std::string& extractor() const { return extractor_; }

 private:
  std::unique_ptr<ByteSource> raw() const;
  Result<bool> start();

  const TextOptions& options_;
  BlockReader reader_;
  std::unique_ptr<ByteSource> source_;
  std::string extractor_, held_;
  int descriptor_ = -1;
  bool short_read_ends_ = false, is_held_ = false;
};

// Whether the file system keeps the rule that a short read is the end of a regular file.
bool short_reads_end(int descriptor);

}  // namespace ragline
