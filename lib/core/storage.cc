#include "core/storage.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>

#include "core/files.h"
#include "core/text.h"

namespace ragline {

namespace {

// ---- on disk

class DiskFile : public WritableFile {
 public:
  DiskFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  ~DiskFile() override {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  DiskFile(const DiskFile&) = delete;
  DiskFile& operator=(const DiskFile&) = delete;

  Status append(std::string_view bytes) override {
    if (buffer_.size() + bytes.size() < kBuffer) {
      buffer_ += bytes;
      return {};
    }
    RAGLINE_CHECK(write_out(buffer_));
    buffer_.clear();
    return write_out(bytes);
  }
  Status sync() override {
    RAGLINE_CHECK(write_out(buffer_));
    buffer_.clear();
    if (::fdatasync(descriptor_) != 0) return fail(ErrorKind::kIo, errno_text("cannot sync", path_));
    return {};
  }
  Status close() override {
    RAGLINE_CHECK(write_out(buffer_));
    buffer_.clear();
    const int descriptor = std::exchange(descriptor_, -1);
    if (::close(descriptor) != 0) return fail(ErrorKind::kIo, errno_text("cannot close", path_));
    return {};
  }

 private:
  static constexpr std::size_t kBuffer = 1 << 18;

  Status write_out(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return fail(ErrorKind::kIo, errno_text("cannot write", path_));
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
  }

  int descriptor_;
  std::string path_;
  std::string buffer_;
};

class DiskLock : public StorageLock {
 public:
  explicit DiskLock(int descriptor) : descriptor_(descriptor) {}
  ~DiskLock() override { ::close(descriptor_); }
  DiskLock(const DiskLock&) = delete;
  DiskLock& operator=(const DiskLock&) = delete;

 private:
  int descriptor_;
};

class DiskStorage : public Storage {
 public:
  explicit DiskStorage(std::string folder) : folder_(std::move(folder)) {}

  Result<std::unique_ptr<WritableFile>> create(std::string_view name) override {
    std::string path = full(name);
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) return fail(ErrorKind::kIo, errno_text("cannot create", path));
    return std::make_unique<DiskFile>(descriptor, std::move(path));
  }
  Result<std::shared_ptr<const MappedFile>> map(std::string_view name) const override {
    return map_file(full(name));
  }
  bool exists(std::string_view name) const override { return ::access(full(name).c_str(), F_OK) == 0; }
  Status rename(std::string_view from, std::string_view to) override {
    if (std::rename(full(from).c_str(), full(to).c_str()) != 0)
      return fail(ErrorKind::kIo, errno_text("cannot rename to", full(to)));
    return {};
  }
  Status remove(std::string_view name) override {
    if (::unlink(full(name).c_str()) != 0 && errno != ENOENT)
      return fail(ErrorKind::kIo, errno_text("cannot remove", full(name)));
    return {};
  }
  Status make_folder(std::string_view name) override {
    if (::mkdir(full(name).c_str(), 0777) != 0 && errno != EEXIST)
      return fail(ErrorKind::kIo, errno_text("cannot make directory", full(name)));
    return {};
  }
  Status remove_folder(std::string_view name) override {
    auto names = list(name);
    if (!names) return names.error().kind == ErrorKind::kNotFound ? Status{} : std::unexpected(names.error());
    for (const std::string& file : *names) RAGLINE_CHECK(remove(cat(name, "/", file)));
    if (::rmdir(full(name).c_str()) != 0 && errno != ENOENT)
      return fail(ErrorKind::kIo, errno_text("cannot remove", full(name)));
    return {};
  }
  Status sync_folder(std::string_view name) override {
    const std::string path = full(name);
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return fail(ErrorKind::kIo, errno_text("cannot open", path));
    const int result = ::fsync(descriptor);
    const int code = errno;
    ::close(descriptor);
    errno = code;
    if (result != 0) return fail(ErrorKind::kIo, errno_text("cannot sync", path));
    return {};
  }
  Result<std::vector<std::string>> list(std::string_view folder) const override {
    const std::string path = full(folder);
    DIR* directory = ::opendir(path.c_str());
    if (!directory)
      return fail(errno == ENOENT ? ErrorKind::kNotFound : ErrorKind::kIo, errno_text("cannot list", path));
    std::vector<std::string> names;
    while (const dirent* entry = ::readdir(directory)) {
      std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (stat_file(join_path(path, name)).is_directory) name += '/';
      names.push_back(std::move(name));
    }
    ::closedir(directory);
    std::sort(names.begin(), names.end());
    return names;
  }
  Result<std::unique_ptr<StorageLock>> lock(std::string_view name, std::string_view holder, int wait_ms) override {
    const std::string path = full(name);
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) return fail(ErrorKind::kIo, errno_text("cannot open", path));
    for (int waited = 0; ::flock(descriptor, LOCK_EX | LOCK_NB) != 0; waited += 20) {
      if (errno != EWOULDBLOCK && errno != EINTR) {
        auto error = fail(ErrorKind::kIo, errno_text("cannot lock", path));
        ::close(descriptor);
        return error;
      }
      if (waited >= wait_ms) {
        char text[200] = {};
        const ssize_t got = ::pread(descriptor, text, sizeof text - 1, 0);
        ::close(descriptor);
        return fail(ErrorKind::kLocked,
                    cat("index '", folder_, "' is being written by ",
                        got > 0 ? trim({text, static_cast<std::size_t>(got)}) : "another process",
                        ": wait for it, or give --wait a longer time"));
      }
      ::usleep(20'000);
    }
    if (::ftruncate(descriptor, 0) != 0 ||
        ::pwrite(descriptor, holder.data(), holder.size(), 0) != static_cast<ssize_t>(holder.size())) {
      auto error = fail(ErrorKind::kIo, errno_text("cannot write", path));
      ::close(descriptor);
      return error;
    }
    return std::make_unique<DiskLock>(descriptor);
  }
  std::string describe() const override { return folder_; }
  std::string folder() const override { return folder_; }

 private:
  std::string full(std::string_view name) const { return name.empty() ? folder_ : join_path(folder_, name); }

  std::string folder_;
};

// ---- in memory

class SharedBytes : public MappedFile {
 public:
  explicit SharedBytes(std::shared_ptr<const std::string> bytes) : owned_(std::move(bytes)) { bytes_ = *owned_; }

 private:
  std::shared_ptr<const std::string> owned_;
};

class MemoryStorage : public Storage {
 public:
  Result<std::unique_ptr<WritableFile>> create(std::string_view name) override {
    auto bytes = std::make_shared<std::string>();
    std::lock_guard guard(mutex_);
    files_[std::string(name)] = bytes;
    return std::make_unique<MemoryFile>(bytes);
  }
  Result<std::shared_ptr<const MappedFile>> map(std::string_view name) const override {
    std::lock_guard guard(mutex_);
    auto found = files_.find(name);
    if (found == files_.end()) return fail(ErrorKind::kNotFound, cat("cannot open '", name, "': no such file"));
    return std::make_shared<SharedBytes>(found->second);
  }
  bool exists(std::string_view name) const override {
    std::lock_guard guard(mutex_);
    return files_.contains(name) || folders_.contains(name);
  }
  Status rename(std::string_view from, std::string_view to) override {
    std::lock_guard guard(mutex_);
    auto found = files_.find(from);
    if (found == files_.end()) return fail(ErrorKind::kIo, cat("cannot rename '", from, "': no such file"));
    files_[std::string(to)] = found->second;
    files_.erase(found);
    return {};
  }
  Status remove(std::string_view name) override {
    std::lock_guard guard(mutex_);
    if (auto found = files_.find(name); found != files_.end()) files_.erase(found);
    return {};
  }
  Status make_folder(std::string_view name) override {
    std::lock_guard guard(mutex_);
    folders_.emplace(name);
    return {};
  }
  Status remove_folder(std::string_view name) override {
    std::lock_guard guard(mutex_);
    const std::string prefix = cat(name, "/");
    std::erase_if(files_, [&](const auto& entry) { return entry.first.starts_with(prefix); });
    if (auto found = folders_.find(name); found != folders_.end()) folders_.erase(found);
    return {};
  }
  Status sync_folder(std::string_view) override { return {}; }
  Result<std::vector<std::string>> list(std::string_view folder) const override {
    std::lock_guard guard(mutex_);
    std::vector<std::string> names;
    const std::string prefix = folder.empty() ? "" : cat(folder, "/");
    for (const auto& [name, bytes] : files_)
      if (name.starts_with(prefix) && name.find('/', prefix.size()) == name.npos)
        names.push_back(name.substr(prefix.size()));
    if (folder.empty())
      for (const std::string& name : folders_) names.push_back(name + "/");
    std::sort(names.begin(), names.end());
    return names;
  }
  Result<std::unique_ptr<StorageLock>> lock(std::string_view, std::string_view, int) override {
    return std::make_unique<StorageLock>();  // one process, one owner
  }
  std::string describe() const override { return "(memory)"; }

 private:
  class MemoryFile : public WritableFile {
   public:
    explicit MemoryFile(std::shared_ptr<std::string> bytes) : bytes_(std::move(bytes)) {}
    Status append(std::string_view bytes) override {
      *bytes_ += bytes;
      return {};
    }
    Status sync() override { return {}; }
    Status close() override { return {}; }

   private:
    std::shared_ptr<std::string> bytes_;
  };

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<std::string>, std::less<>> files_;
  std::set<std::string, std::less<>> folders_;
};

}  // namespace

std::unique_ptr<Storage> disk_storage(std::string folder) { return std::make_unique<DiskStorage>(std::move(folder)); }
std::unique_ptr<Storage> memory_storage() { return std::make_unique<MemoryStorage>(); }

}  // namespace ragline
