#include "core/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "core/text.h"

namespace ragline {

namespace {

constexpr std::uint64_t kMapAbove = 256 * 1024;
constexpr std::size_t kPiece = 1 << 20;

class OwnedBytes : public MappedFile {
 public:
  explicit OwnedBytes(std::string bytes) : owned_(std::move(bytes)) { bytes_ = owned_; }

 private:
  std::string owned_;
};

class MemoryMap : public MappedFile {
 public:
  MemoryMap(void* address, std::size_t size) : address_(address), size_(size) {
    bytes_ = {static_cast<const char*>(address), size};
  }
  ~MemoryMap() override { ::munmap(address_, size_); }
  MemoryMap(const MemoryMap&) = delete;
  MemoryMap& operator=(const MemoryMap&) = delete;

 private:
  void* address_;
  std::size_t size_;
};

Result<std::string> read_all(int descriptor, std::string_view path, std::size_t expected) {
  std::string bytes;
  bytes.resize(expected + 1);
  std::size_t used = 0;
  while (true) {
    if (used == bytes.size()) bytes.resize(bytes.size() * 2 + 65536);
    const ssize_t got = ::read(descriptor, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(ErrorKind::kIo, errno_text("cannot read", path));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace

std::string errno_text(std::string_view what, std::string_view path) {
  const int code = errno;
  return cat(what, " '", path, "': ", std::string_view(std::strerror(code)));
}

namespace {

Result<int> open_for_reading(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) return descriptor;
  return fail(errno == ENOENT || errno == ENOTDIR ? ErrorKind::kNotFound : ErrorKind::kIo, errno_text("cannot open", path));
}

Result<std::shared_ptr<const MappedFile>> whole_file(const std::string& path, std::uint64_t map_above) {
  RAGLINE_TRY(const int descriptor, open_for_reading(path));
  struct Closer {
    int fd;
    ~Closer() { ::close(fd); }
  } closer{descriptor};
  struct stat info{};
  if (::fstat(descriptor, &info) != 0) return fail(ErrorKind::kIo, errno_text("cannot stat", path));
  if (S_ISDIR(info.st_mode)) return fail(ErrorKind::kIo, cat("cannot read '", path, "': it is a directory"));
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (S_ISREG(info.st_mode) && size > map_above) {
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address == MAP_FAILED) return fail(ErrorKind::kIo, errno_text("cannot map", path));
    return std::make_shared<MemoryMap>(address, size);
  }
  RAGLINE_TRY(auto bytes, read_all(descriptor, path, size));
  return std::make_shared<OwnedBytes>(std::move(bytes));
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> read_file(const std::string& path) { return whole_file(path, UINT64_MAX); }
Result<std::shared_ptr<const MappedFile>> map_file(const std::string& path) { return whole_file(path, kMapAbove); }

InputFile::InputFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
InputFile::InputFile(InputFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}
InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<InputFile> InputFile::open(const std::string& path) {
  RAGLINE_TRY(const int descriptor, open_for_reading(path));
  return InputFile(descriptor, path);
}

Result<std::string> InputFile::read(std::uint64_t offset, std::size_t size) const {
  std::string bytes(size, '\0');
  std::size_t used = 0;
  while (used < size) {
    const ssize_t got = ::pread(descriptor_, bytes.data() + used, size - used, static_cast<off_t>(offset + used));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(ErrorKind::kIo, errno_text("cannot read", path_));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  bytes.resize(used);
  return bytes;
}

Result<std::uint64_t> InputFile::hash() const {
  Hasher hasher;
  for (std::uint64_t offset = 0;;) {
    RAGLINE_TRY(const std::string piece, read(offset, kPiece));
    hasher.add(piece);
    offset += piece.size();
    if (piece.size() < kPiece) return hasher.value();
  }
}

Result<std::string> read_standard_input() { return read_all(STDIN_FILENO, "standard input", 65536); }

Status write_file_atomically(const std::string& path, std::string_view bytes) {
  const auto slash = path.rfind('/');
  const std::string folder = slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  const std::string name = slash == path.npos ? path : path.substr(slash + 1);
  auto storage = disk_storage(folder);
  const std::string temporary = cat(".", name, ".tmp.", static_cast<std::int64_t>(::getpid()));
  RAGLINE_TRY(auto file, storage->create(temporary));
  auto written = [&]() -> Status {
    RAGLINE_CHECK(file->append(bytes));
    RAGLINE_CHECK(file->sync());
    RAGLINE_CHECK(file->close());
    return storage->rename(temporary, name);
  }();
  if (!written) (void)storage->remove(temporary);
  return written;
}

Status make_directories(const std::string& path) {
  for (std::size_t at = 1; at <= path.size(); ++at) {
    if (at < path.size() && path[at] != '/') continue;
    const std::string part = path.substr(0, at);
    if (::mkdir(part.c_str(), 0777) != 0 && errno != EEXIST)
      return fail(ErrorKind::kIo, errno_text("cannot make directory", part));
  }
  return stat_file(path).is_directory
             ? Status{}
             : Status(fail(ErrorKind::kIo, cat("cannot make directory '", path, "': a file is in the way")));
}

FileStat stat_file(const std::string& path) {
  struct stat info{};
  FileStat out;
  if (::stat(path.c_str(), &info) != 0) return out;
  out.exists = true;
  out.is_directory = S_ISDIR(info.st_mode);
  out.is_regular = S_ISREG(info.st_mode);
  out.size = static_cast<std::uint64_t>(info.st_size);
  out.mtime_ns = static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec;
  return out;
}

std::string join_path(std::string_view folder, std::string_view name) {
  if (folder.empty() || name.starts_with('/')) return std::string(name);
  return folder.ends_with('/') ? cat(folder, name) : cat(folder, "/", name);
}

std::string normal_path(std::string_view path) {
  const bool absolute = path.starts_with('/');
  std::vector<std::string_view> parts;
  for (std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (part != ".." || !absolute) {
      parts.push_back(part);
    }
  }
  std::string out = absolute ? "/" : "";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i) out += '/';
    out += parts[i];
  }
  return out.empty() ? "." : out;
}

std::string current_directory() {
  std::string buffer(4096, '\0');
  return ::getcwd(buffer.data(), buffer.size()) ? std::string(buffer.c_str()) : "/";
}

std::string absolute_path(std::string_view path) { return normal_path(join_path(current_directory(), path)); }

std::string relative_path(std::string_view root, std::string_view path) {
  if (root == "/") return std::string(path.substr(path.starts_with('/') ? 1 : 0));
  if (path.size() > root.size() && path.starts_with(root) && path[root.size()] == '/')
    return std::string(path.substr(root.size() + 1));
  return std::string(path);
}

}  // namespace ragline
