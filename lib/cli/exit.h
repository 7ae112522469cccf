#pragma once
#include <string_view>

#include "core/result.h"

// Exit statuses: the same five in every tool, decided here and nowhere else.
namespace ragline {

inline constexpr int kExitFound = 0;          // found something, or done
inline constexpr int kExitNothing = 1;        // nothing was found
inline constexpr int kExitError = 2;          // usage, data, I/O
inline constexpr int kExitLimit = 3;          // a limit cut the work short
inline constexpr int kExitUnreadable = 4;     // done, but some input could not be read
inline constexpr int kExitInterrupted = 130;  // SIGINT or SIGTERM: 128 + 2, as shells report it

// The status of a run that ended with this error: kLimit is 3, kInterrupted 130, all others 2.
int exit_code(ErrorKind kind);

// Prints "tool: message" to standard error, on a line of its own even while a progress bar is
// drawn. Control characters of the message (it may quote a file) are made visible when standard
// error is a terminal.
void report_error(std::string_view tool, const Error& error);
// The same for a remark that is no error. The caller minds --quiet.
void report_note(std::string_view tool, std::string_view message);

// What happened in a run that did not fail. A tool that only does work (build) calls set_found().
// Limit wins over unreadable, that over found or nothing. -k, -m, ignored, hidden and binary files
// count as neither.
class Outcome {
 public:
  void set_found(bool found = true) { found_ = found_ || found; }
  void set_limit_hit() { limit_hit_ = true; }
  void set_unreadable() { unreadable_ = true; }
  // --allow-partial: 3 and 4 become 0 or 1.
  void set_allow_partial(bool allow) { allow_partial_ = allow; }
  // The status of another program that a tool stands in for; it wins over all of the above.
  void set_foreign(int code) { foreign_ = code; }
  int code() const;

 private:
  bool found_ = false, limit_hit_ = false, unreadable_ = false, allow_partial_ = false;
  int foreign_ = -1;
};

}  // namespace ragline
