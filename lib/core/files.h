#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/storage.h"

// Files by path, outside an index: reading sources, writing outputs whole or not at all.
namespace ragline {

// The whole file, in memory: what becomes of it meanwhile does no harm. Special files are read to their end. kIo with
// errno's text, and kNotFound when missing.
Result<std::shared_ptr<const MappedFile>> read_file(const std::string& path);
// The same for files that nobody shortens, as those of an index: large ones are mapped, not read.
Result<std::shared_ptr<const MappedFile>> map_file(const std::string& path);

// A file read piece by piece, for those too large to hold. Thread-safe.
class InputFile {
 public:
  // Errors as read_file's.
  static Result<InputFile> open(const std::string& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();
  // `size` bytes at `offset`; fewer at the end of the file, which may come earlier than it did before.
  Result<std::string> read(std::uint64_t offset, std::size_t size) const;
  // hash64 of all of it, a piece at a time.
  Result<std::uint64_t> hash() const;

 private:
  InputFile(int descriptor, std::string path);
  int descriptor_;
  std::string path_;
};
// Standard input to its end.
Result<std::string> read_standard_input();

// Writes a temporary neighbour and renames it over `path`: readers see the old or the new, never half.
Status write_file_atomically(const std::string& path, std::string_view bytes);

// mkdir -p.
Status make_directories(const std::string& path);

struct FileStat {
  bool exists = false;
  bool is_directory = false;
  bool is_regular = false;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
};
// Follows links. A missing file is not an error: exists is false.
FileStat stat_file(const std::string& path);

// Lexical: joins, drops "." and resolves ".." where a parent is known. Bytes, not characters; never touches the disk.
std::string join_path(std::string_view folder, std::string_view name);
std::string normal_path(std::string_view path);
std::string current_directory();
// path made absolute against the current directory, then normal.
std::string absolute_path(std::string_view path);
// `path` relative to `root` when it lies below it (both absolute and normal), else `path`.
std::string relative_path(std::string_view root, std::string_view path);
// "cannot open 'x': No such file or directory" for the errno of a call that just failed.
std::string errno_text(std::string_view what, std::string_view path);

}  // namespace ragline
