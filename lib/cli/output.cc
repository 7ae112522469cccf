#include "cli/output.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "cli/terminal.h"
#include "core/text.h"

namespace ragline {

namespace {
constexpr std::size_t kBufferBytes = 64 << 10;
}

Output::Output(int descriptor)
    : descriptor_(descriptor), terminal_(ragline::is_terminal(descriptor)) {
  std::signal(SIGPIPE, SIG_IGN);
  buffer_.reserve(kBufferBytes);
}

Status Output::write(std::string_view bytes) {
  if (!status_) return status_;
  if (buffer_.size() + bytes.size() > kBufferBytes) RAGLINE_CHECK(flush());
  if (bytes.size() > kBufferBytes) return put(bytes);
  buffer_ += bytes;
  return terminal_ ? flush() : status_;
}

Status Output::flush() {
  if (!status_) return status_;
  Status status = put(buffer_);
  buffer_.clear();
  return status;
}

Status Output::put(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno == EAGAIN) {  // a pipe that another program made non-blocking
      pollfd room{descriptor_, POLLOUT, 0};
      poll(&room, 1, -1);
      continue;
    }
    reader_gone_ = errno == EPIPE;
    status_ = fail(ErrorKind::kIo,
                   reader_gone_ ? std::string() : cat("standard output: ", std::strerror(errno)));
    return status_;
  }
  return {};
}

}  // namespace ragline
