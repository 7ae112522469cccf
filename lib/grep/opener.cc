#include "grep/opener.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/files.h"
#include "core/text.h"

namespace ragline {

namespace {

constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOCTTY;

// Component by component, no link anywhere.
int open_without_links(int root, std::string_view path, int flags) {
  int at = ::fcntl(root, F_DUPFD_CLOEXEC, 0);
  while (at >= 0) {
    const auto slash = path.find('/');
    const std::string name(path.substr(0, slash));
    const bool last = slash == path.npos;
    const int next = name == ".." ? (errno = EXDEV, -1)
                                  : ::openat(at, name.empty() ? "." : name.c_str(),
                                             last ? flags | O_NOFOLLOW : kFlags | O_DIRECTORY | O_NOFOLLOW);
    const int error = errno;
    ::close(at);
    errno = error;
    if (last) return next;
    at = next;
    path.remove_prefix(slash + 1);
  }
  return -1;
}

}  // namespace

Result<Opener> Opener::beneath(const std::string& root) {
  Opener opener;
  opener.root_path_ = absolute_path(root);
  opener.root_ = ::open(opener.root_path_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (opener.root_ < 0) return fail(errno == ENOENT ? ErrorKind::kNotFound : ErrorKind::kIo, errno_text("--root: cannot open", root));
  return opener;
}

Opener::Opener(Opener&& other) noexcept : root_(std::exchange(other.root_, -1)), root_path_(std::move(other.root_path_)) {}
Opener& Opener::operator=(Opener&& other) noexcept {
  std::swap(root_, other.root_);
  std::swap(root_path_, other.root_path_);
  return *this;
}
Opener::~Opener() {
  if (root_ >= 0) ::close(root_);
}

std::string Opener::below_root(std::string_view path) const {
  const std::string absolute = path.starts_with('/') ? normal_path(path) : absolute_path(path);
  if (absolute == root_path_) return ".";
  const std::string relative = relative_path(root_path_, absolute);
  return relative.starts_with('/') ? "" : relative;
}

int Opener::open_beneath(const std::string& path, int flags) const {
  const std::string relative = below_root(path);
  if (relative.empty()) {
    errno = EXDEV;
    return -1;
  }
  struct open_how how {};
  how.flags = static_cast<unsigned>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const auto descriptor = static_cast<int>(::syscall(SYS_openat2, root_, relative.c_str(), &how, sizeof how));
  if (descriptor >= 0 || (errno != ENOSYS && errno != EPERM)) return descriptor;
  return open_without_links(root_, relative, flags);
}

int Opener::open_directory(const std::string& path, bool follow_link) const {
  const int flags = kFlags | O_DIRECTORY | O_NONBLOCK | (follow_link ? 0 : O_NOFOLLOW);
  return is_confined() ? open_beneath(path, flags) : ::open(path.c_str(), flags);
}

Opener::Opened Opener::open(const Target& target, bool follow_links) const {
  if (target.standard_input) return {::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0), {}, ""};
  // A named pipe that the caller named is waited for; everything else must not block.
  bool is_fifo = false;
  if (target.named && !is_confined()) {
    struct stat info {};
    is_fifo = ::stat(target.path.c_str(), &info) == 0 && S_ISFIFO(info.st_mode);
  }
  const int flags = kFlags | (is_fifo ? 0 : O_NONBLOCK) | (target.named || follow_links ? 0 : O_NOFOLLOW);
  int descriptor = -1;
  if (target.directory) {
    const auto slash = target.path.rfind('/');
    const char* const name = target.path.c_str() + (slash == std::string::npos ? 0 : slash + 1);
    // The directory was opened beneath the root; a link in it may lead out all the same.
    descriptor = is_confined() && follow_links ? open_beneath(target.path, flags)
                                               : ::openat(target.directory->descriptor(), name, flags);
  } else {
    descriptor = is_confined() ? open_beneath(target.path, flags) : ::open(target.path.c_str(), flags);
  }
  if (descriptor < 0) {
    const int error = errno;
    const SkipReason reason = error == EXDEV || (error == ELOOP && is_confined()) ? SkipReason::kLinkOutside
                              : error == ELOOP                                   ? SkipReason::kLink
                              : error == ENXIO                                   ? SkipReason::kSpecial
                                                                                 : SkipReason::kUnreadable;
    return {-1, reason, error == EXDEV ? "outside the root" : std::strerror(error)};
  }
  return {descriptor, {}, ""};
}

}  // namespace ragline
