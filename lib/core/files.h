#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/storage.h"

// Files by path, outside an index: reading sources, writing outputs whole or not at all.
namespace ragline {

// The whole file: small ones read, large ones mapped. Special files are read to their end. kIo with errno's text, and
// kNotFound when missing.
Result<std::shared_ptr<const MappedFile>> read_file(const std::string& path);
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
