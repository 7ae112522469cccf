#include "core/program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>

#include "core/files.h"
#include "core/text.h"

namespace ragline {

namespace {

// The child's side: never returns.
[[noreturn]] void become(const std::string& command, int input, int file, int output) {
  // Copies first: any of them may have the number that another one is to get.
  input = fcntl(input, F_DUPFD, 16);
  file = fcntl(file, F_DUPFD, 16);
  output = fcntl(output, F_DUPFD, 16);
  dup2(input, 0);
  dup2(output, 1);
  dup2(file, 3);
  for (const int descriptor : {input, file, output}) close(descriptor);
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

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using Temporary = std::unique_ptr<std::FILE, CloseFile>;

// A file without a name that holds `bytes`, at its beginning; null when there is none to be had.
Temporary temporary(const std::string& bytes) {
  Temporary file(std::tmpfile());
  if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() ||
      std::fflush(file.get()) != 0)
    return nullptr;
  std::rewind(file.get());
  return file;
}

}  // namespace

Result<std::string> run_program(const std::string& command, const std::string& input,
                                const std::string& file) {
  // Files and not pipes, so that a program may write before it has read everything.
  const Temporary standard_input = temporary(input), third = temporary(file);
  if (!standard_input || !third)
    return fail(ErrorKind::kIo, errno_text("cannot make a temporary file for", command));
  int ends[2];
  // Closed in programs that other threads start, which would keep our reading end open.
  if (pipe2(ends, O_CLOEXEC) != 0) return fail(ErrorKind::kIo, errno_text("cannot start", command));
  const pid_t child = fork();
  if (child == 0) become(command, fileno(standard_input.get()), fileno(third.get()), ends[1]);
  close(ends[1]);
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
                  WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status)));
}

}  // namespace ragline
