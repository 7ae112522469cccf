#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

// The file layer under the index: a directory tree of immutable files, made durable by sync and published by rename.
// There are three of them: DiskStorage, MemoryStorage (an index that is never kept), and the fault-injecting one of the
// crash tests, which is why nothing in lib/index calls the operating system itself.
//
// Names are relative, '/'-separated, one folder deep at most ("MANIFEST", "seg-000001/postings").
namespace ragline {

// Bytes that stay valid while the object lives, even when the file is removed meanwhile.
class MappedFile {
 public:
  virtual ~MappedFile() = default;
  std::string_view bytes() const { return bytes_; }

 protected:
  std::string_view bytes_;
};

// Appends only. close() reports what a destructor could not; a file that is destroyed unclosed may be short.
class WritableFile {
 public:
  virtual ~WritableFile() = default;
  virtual Status append(std::string_view bytes) = 0;
  virtual Status sync() = 0;
  virtual Status close() = 0;
};

// Held while it lives; the advisory lock of one writer.
class StorageLock {
 public:
  virtual ~StorageLock() = default;
};

class Storage {
 public:
  virtual ~Storage() = default;

  // Creates or truncates. The file's folder must exist.
  virtual Result<std::unique_ptr<WritableFile>> create(std::string_view name) = 0;
  // The whole file. kNotFound when it does not exist; an empty file maps to empty bytes.
  virtual Result<std::shared_ptr<const MappedFile>> map(std::string_view name) const = 0;
  virtual bool exists(std::string_view name) const = 0;
  virtual Status rename(std::string_view from, std::string_view to) = 0;
  // Removes a file. Not an error when it is gone already.
  virtual Status remove(std::string_view name) = 0;
  virtual Status make_folder(std::string_view name) = 0;
  // Removes a folder and the files in it. Not an error when it is gone already.
  virtual Status remove_folder(std::string_view name) = 0;
  // Makes creations, renames and removals in a folder durable; "" is the root.
  virtual Status sync_folder(std::string_view name) = 0;
  // Names directly inside a folder, sorted, folders with a trailing '/'.
  virtual Result<std::vector<std::string>> list(std::string_view folder) const = 0;
  // Exclusive, across processes. `holder` is written into the file. Waits up to wait_ms, then kLocked with a message
  // that says who holds it.
  virtual Result<std::unique_ptr<StorageLock>> lock(std::string_view name, std::string_view holder,
                                                    int wait_ms) = 0;
  // For messages: the directory's path, or "(memory)".
  virtual std::string describe() const = 0;
  // The directory's path; empty when there is none on disk.
  virtual std::string folder() const { return {}; }
};

// On disk, in `folder`, which must exist (make_directories makes it).
std::unique_ptr<Storage> disk_storage(std::string folder);
// In memory, gone with the object; MappedFiles outlive it. Thread-safe like the other.
std::unique_ptr<Storage> memory_storage();

}  // namespace ragline
