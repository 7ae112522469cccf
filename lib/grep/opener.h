#pragma once
#include <string>
#include <string_view>

#include "core/result.h"
#include "grep/targets.h"

namespace ragline {

// Opens files for reading, and only so: never a device or socket, never a path outside the root when there is one.
//
//   Root     openat2 with RESOLVE_BENEATH and without magic links: neither "..", nor an absolute path, nor a link leads out, and no
//            race with somebody who swaps a folder for a link can either. Kernels without openat2 (before 5.6) take no link at all
//   FIFO     read only when the caller named it; a file that has become one since the walk is skipped
class Opener {
 public:
  // No root: the whole file system.
  Opener() = default;
  // kIo or kNotFound when `root` cannot be opened.
  static Result<Opener> beneath(const std::string& root);
  Opener(Opener&& other) noexcept;
  Opener& operator=(Opener&& other) noexcept;
  ~Opener();

  struct Opened {
    int descriptor = -1;  // the caller's to close; -1: the reason says why not
    SkipReason reason = SkipReason::kUnreadable;
    std::string detail;
  };
  Opened open(const Target& target, bool follow_links) const;
  // A directory, for the walk; -1 and errno.
  int open_directory(const std::string& path, bool follow_link) const;
  bool is_confined() const { return root_ >= 0; }
  // `path` relative to the root; kUsage-free: "" when it does not lie below it by name.
  std::string below_root(std::string_view path) const;

 private:
  int open_beneath(const std::string& path, int flags) const;

  int root_ = -1;
  std::string root_path_;  // absolute, normal
};

}  // namespace ragline
