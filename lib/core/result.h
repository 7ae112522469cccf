#pragma once
#include <expected>
#include <string>
#include <utility>

namespace ragline {

// What went wrong, for the caller's exit status and for the `kind` field of records. tools/ maps kinds to exit codes in
// one place (cli/exit.h); the library neither prints nor exits.
enum class ErrorKind {
  kUsage,      // the caller asked for something that cannot be meant: a bad flag value, a bad filter expression
  kData,       // an input line or file is malformed
  kIo,         // the operating system refused: missing, unreadable, no space left
  kCorrupt,    // an index file fails a checksum or a bound
  kVersion,    // an index of a format that this program does not read
  kLocked,     // another writer holds the index
  kNotFound,   // a named thing (evidence id, document) does not exist, or the caller may not see it
  kDenied,     // a governed index was asked without a principal, or a mass delete was stopped
  kLimit,      // a limit cut the work short
  kInterrupted // SIGINT or SIGTERM
};

// An error a user can cause. `message` is one line without a final stop: "place: what is wrong: what would be right".
struct Error {
  ErrorKind kind;
  std::string message;
};

template <class T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

inline std::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return std::unexpected(Error{kind, std::move(message)});
}

// The stable snake_case name of a kind, as records spell it ("usage", "corrupt", ...).
const char* error_kind_name(ErrorKind kind);

}  // namespace ragline

// RAGLINE_CHECK(status): returns the error from the enclosing function.
// RAGLINE_TRY(auto x, expression): declares x from a Result, or returns its error.
#define RAGLINE_CONCAT_(a, b) a##b
#define RAGLINE_CONCAT(a, b) RAGLINE_CONCAT_(a, b)
#define RAGLINE_CHECK(expression)                                                  \
  do {                                                                             \
    if (auto ragline_status = (expression); !ragline_status)                       \
      return std::unexpected(std::move(ragline_status).error());                   \
  } while (false)
#define RAGLINE_TRY(declaration, expression) \
  RAGLINE_TRY_(RAGLINE_CONCAT(ragline_result_, __LINE__), declaration, expression)
#define RAGLINE_TRY_(name, declaration, expression)                \
  auto name = (expression);                                        \
  if (!name) return std::unexpected(std::move(name).error());      \
  declaration = std::move(*name)
