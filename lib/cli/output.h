#pragma once
#include <string>
#include <string_view>

#include "core/result.h"

// Standard output of a tool, buffered.
//   Buffer   64 kB; written when full, at flush(), and after every write() when it is a terminal.
//   Threads  one writer.
//   Errors   kIo "standard output: No space left on device"; every later call repeats it. When the
//            reader of the pipe has gone (head has seen enough) the message is empty, and run_tool
//            ends quietly with status 0.
//   Signals  the constructor has SIGPIPE ignored, so that a lost reader is an error and never a
//            kill; a program started later inherits that unless it is reset.
// Not flushed by its destructor: a tool that fails decides what is still worth writing.
namespace ragline {

class Output {
 public:
  explicit Output(int descriptor = 1);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  bool is_terminal() const { return terminal_; }
  bool reader_gone() const { return reader_gone_; }
  bool failed() const { return !status_.has_value(); }

  // Appends the bytes: whole lines, with their newlines.
  Status write(std::string_view bytes);
  Status flush();

 private:
  Status put(std::string_view bytes);

  int descriptor_;
  bool terminal_;
  bool reader_gone_ = false;
  std::string buffer_;
  Status status_;
};

}  // namespace ragline
