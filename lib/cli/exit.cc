#include "cli/exit.h"

#include <unistd.h>

#include <string>

#include "cli/progress.h"
#include "cli/terminal.h"
#include "core/text.h"

namespace ragline {

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kLimit:
      return kExitLimit;
    case ErrorKind::kInterrupted:
      return kExitInterrupted;
    case ErrorKind::kUsage:
    case ErrorKind::kData:
    case ErrorKind::kIo:
    case ErrorKind::kCorrupt:
    case ErrorKind::kVersion:
    case ErrorKind::kLocked:
    case ErrorKind::kNotFound:
    case ErrorKind::kDenied:
      return kExitError;
  }
  return kExitError;
}

void report_error(std::string_view tool, const Error& error) { report_note(tool, error.message); }

void report_note(std::string_view tool, std::string_view message) {
  clear_progress_line();
  std::string line = cat(tool, ": ", message);
  if (is_terminal(STDERR_FILENO)) line = harmless_text(line);
  line += '\n';
  // One write, so that lines of several tools in a pipe do not mix. Nothing is left to do where it
  // fails.
  [[maybe_unused]] auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

int Outcome::code() const {
  if (foreign_ >= 0) return foreign_;
  if (!allow_partial_ && limit_hit_) return kExitLimit;
  if (!allow_partial_ && unreadable_) return kExitUnreadable;
  return found_ ? kExitFound : kExitNothing;
}

}  // namespace ragline
