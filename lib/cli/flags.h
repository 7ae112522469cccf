#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/spec.h"
#include "core/result.h"

// The command line, parsed against a tool's table.
//
//   --top 5, --top=5, -k 5, -k5   a value: whatever follows, even when it begins with a dash
//   --explain, -v, -vv, -qv       switches, alone or bundled; --no-stem turns one off
//   --                            the rest are positionals; a lone - is one too (standard input)
//
// Flags and positionals mix freely. A tool with a default command takes the name of another one
// only as the first argument. The last value wins, as shells' aliases need it, unless the
// flag is repeatable. Abbreviated long names are not accepted (a new flag would change their
// meaning); an unknown one is an error that names the nearest. Values come from the command line,
// else from the flag's variable, else from its default; all three are checked.
//
// Written here and not with CLI11: measured on one busy machine, CLI11 2.1 took 15 s to compile and
// 0.2 to 0.3 ms of each start for 50 flags, this table and parser under 0.1 ms; and the messages
// are the ones that we want.
namespace ragline {

// What the user asked for instead of a run. The first on the line wins over all that follows it.
enum class Request { kRun, kHelp, kVersion, kSchema, kGenerate };

class Flags {
 public:
  Request request() const { return request_; }
  // The subcommand, or nullptr for a tool without.
  const CommandSpec* command() const { return command_; }
  bool is_command(std::string_view name) const { return command_ && command_->name == name; }

  // Whether the command's table has this flag; for code that serves all tools. The accessors below
  // assert that at least some command of the tool has it, and answer for a command that lacks it as
  // for a flag not given.
  bool knows(std::string_view name) const;

  // Whether it stands on the command line; whether it has a value from there, the environment or
  // the default.
  bool given(std::string_view name) const;
  bool has(std::string_view name) const;

  // A switch; and how often it stands on the command line: -vv is 2.
  bool on(std::string_view name) const;
  std::int64_t count(std::string_view name) const;

  // The value, by the flag's type; "" or 0 when there is none.
  const std::string& text(std::string_view name) const;  // kText, kChoice
  std::int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  std::uint64_t size(std::string_view name) const;  // bytes
  std::int64_t duration_ms(std::string_view name) const;
  // All values of a repeatable flag.
  const std::vector<std::string>& list(std::string_view name) const;

  const std::vector<std::string>& positionals() const { return positionals_; }

  // The flags of the command in the order of the table, with or without a value; for traces.
  struct Entry {
    const Flag* flag = nullptr;
    std::vector<std::string> texts;  // as typed; "true" or "false" for a switch
    bool given = false;
    std::int64_t count = 0;
  };
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  friend class FlagParser;
  const Entry* find(std::string_view name) const;

  const ToolSpec* spec_ = nullptr;
  Request request_ = Request::kRun;
  const CommandSpec* command_ = nullptr;
  std::vector<Entry> entries_;
  std::vector<std::string> positionals_;
};

// getenv, or a test's stand-in. nullptr when the variable is not set.
using GetVariable = const char* (*)(const char* name);
const char* system_variable(const char* name);

// Parses the arguments after the program's name. `spec` must outlive the result.
// Errors: kUsage, "--top 0: must be at least 1".
Result<Flags> parse_flags(const ToolSpec& spec, const std::vector<std::string>& arguments,
                          GetVariable variable = system_variable);

// Checks one value of a flag. `place` is how the user wrote it: "--top", "-k", "RAGLINE_INDEX".
Status check_value(const Flag& flag, std::string_view place, std::string_view text);

// A bound of a flag as it would be typed, with its unit: "16M", "30s", "8 tokens".
std::string bound_text(const Flag& flag, double bound);

// The first candidate that continues `typed`, else the nearest by edit distance (ties: the first);
// "" when none is near.
std::string nearest_name(std::string_view typed, const std::vector<std::string>& candidates);

}  // namespace ragline
