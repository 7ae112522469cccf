#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "grep/regex.h"
#include "record/record.h"

namespace ragline {

// A small regular-expression engine for what RE2 and Hyperscan lack: \b, \B and -w by Unicode's word characters, and by
// neighbours that are not UTF-8 at all. Pike's simulation of an NFA: threads in order of preference step through the text
// together, so the time is O(text * program) for every pattern.
//
//   Used     only on lines that are not ASCII, for patterns with a boundary; a few MB/s
//   Lines    the text is one line, whose ends are ^ and \A, $ and \z; with `multiline` ^ and $ are beside newlines too
//   Threads  one; it keeps its lists from call to call
class PikeVm {
 public:
  explicit PikeVm(const Regex& regex, bool multiline = false);
  // The leftmost match that begins at `from` or later, of equal ones the preferred; as RE2 has it.
  bool find(std::string_view text, std::size_t from, ByteSpan& span);

 private:
  struct Instruction {
    enum class Kind : std::uint8_t { kCharacter, kClass, kAny, kSplit, kJump, kAssert, kMatch } kind;
    std::uint32_t next = 0, other = 0;     // kSplit: `next` is preferred
    std::vector<char32_t> characters{};    // kCharacter
    CharClass set{};                       // kClass
    Regex::Kind assertion{};               // kAssert
    bool newline = true;                   // kAny
  };
  struct Thread {
    std::uint32_t at;
    std::size_t begin;
  };
  // Threads by preference, each instruction at most once.
  struct List {
    std::vector<Thread> threads;
    std::vector<std::uint64_t> seen;  // the step at which an instruction was added last
  };

  std::uint32_t add(Instruction instruction);
  void compile(const Regex& node);
  void compile_repeat(const Regex& node);
  void follow(List& list, std::uint32_t at, std::size_t begin, std::string_view text, std::size_t place);
  bool accepts(const Instruction& instruction, char32_t code_point) const;
  bool holds(Regex::Kind assertion, std::string_view text, std::size_t at) const;

  std::vector<Instruction> program_;
  List now_, next_;
  std::vector<std::uint32_t> stack_;
  std::uint64_t step_ = 0;
  bool multiline_;
};

}  // namespace ragline
