#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "record/record.h"

// RE2, behind one small face: its header costs seconds a file.
namespace ragline {

// kUsage with the place, the reason and, for what a linear-time engine cannot have (lookaround, backreferences, possessive
// repeats), the way that works here.
Status check_re2_syntax(std::string_view pattern);

// One compiled pattern. Const calls are thread-safe in RE2 but share a lock: give each thread its own.
class Re2Program {
 public:
  // kUtf8Lines: kUtf8, and whatever the pattern says it matches no newline.
  enum class Encoding { kLatin1, kUtf8, kUtf8Lines };
  // kLimit when the program does not fit 64 MB.
  static Result<Re2Program> compile(const std::string& text, Encoding encoding);
  Re2Program(Re2Program&&) noexcept;
  Re2Program& operator=(Re2Program&&) noexcept;
  ~Re2Program();

  bool matches(std::string_view text) const;
  // The leftmost match that begins at `from` or later; what stands before `from` still counts for ^ and \b. `group` picks a
  // capture instead of the whole.
  bool find(std::string_view text, std::size_t from, ByteSpan& span, int group = 0) const;
  // The captures of a match of exactly [span): groups[i] is capture i, 0 the whole; begin > end where one took no part.
  bool captures(std::string_view text, ByteSpan span, std::vector<ByteSpan>& groups) const;
  int capture_count() const;
  // The number of a named capture; 0 when there is none.
  int capture_named(std::string_view name) const;

 private:
  struct State;
  explicit Re2Program(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ragline
