#include "rag-eval/program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "core/files.h"
#include "core/text.h"

namespace ragline {

namespace {

// The child's side: never returns.
[[noreturn]] void become(const std::string& command, int input, int output) {
  dup2(input, 0);
  dup2(output, 1);
  signal(SIGPIPE, SIG_DFL);  // our output ignores it, which a program started here inherits
  execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

std::string read_all(int descriptor) {
  std::string out;
  char block[65536];
  for (;;) {
    const ssize_t got = read(descriptor, block, sizeof block);
    if (got > 0) out.append(block, static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) return out;
  }
}

}  // namespace

Result<std::string> run_program(const std::string& command, const std::string& input) {
  // A file and not a pipe, so that a program may write before it has read everything.
  std::FILE* const file = std::tmpfile();
  if (!file) return fail(ErrorKind::kIo, errno_text("cannot make a temporary file for", command));
  const bool written =
      std::fwrite(input.data(), 1, input.size(), file) == input.size() && std::fflush(file) == 0;
  std::rewind(file);
  int ends[2];
  // Closed in programs that other threads start, which would keep our reading end open.
  if (!written || pipe2(ends, O_CLOEXEC) != 0) {
    const std::string message = errno_text("cannot start", command);
    std::fclose(file);
    return fail(ErrorKind::kIo, message);
  }
  const pid_t child = fork();
  if (child == 0) become(command, fileno(file), ends[1]);
  close(ends[1]);
  std::fclose(file);
  if (child < 0) {
    const std::string message = errno_text("cannot start", command);
    close(ends[0]);
    return fail(ErrorKind::kIo, message);
  }
  std::string out = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return out;
  return fail(ErrorKind::kIo,
              cat("'", command, "' ended with ", WIFEXITED(status) ? "status " : "signal ",
                  WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status),
                  ": it must read judge_task records and write a line for each"));
}

}  // namespace ragline
