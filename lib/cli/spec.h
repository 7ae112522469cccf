#pragma once
#include <optional>
#include <string>
#include <vector>

// The table that describes a tool. It is the only place where a flag is spelled: parsing, --help,
// the man page, the completions of bash, zsh and fish, and the function-calling schema are all
// derived from it.
//
//   const ToolSpec kSpec{
//       .name = "rag-search",
//       .summary = "search an index, or files without one",
//       .positionals = {{.name = "QUERY", .help = "what to look for", .content = true}},
//       .flags = {index_flag(), top_flag(),
//                 {.name = "k1", .type = FlagType::kNumber, .value = "X", .least = 0, .fallback =
//                 "0.9",
//                  .category = "Ranking", .help = "term frequency saturation of BM25"}},
//       .examples = {{"rag-search -i docs.idx 'refund'", "The ten best passages about refunds."}},
//   };
//
// Texts are plain ASCII sentences; `backquotes` mark what is typed (bold in the man page). Building
// a table costs some microseconds, so it may be a local of main.
namespace ragline {

enum class FlagType {
  kSwitch,    // no value; on or off
  kText,      // any text
  kInteger,   // base 10, signed 64 bits
  kNumber,    // a finite double
  kSize,      // bytes, with K, M, G (powers of 1024): 512M
  kDuration,  // 250ms, 30s, 5m
  kChoice     // one of `choices`
};

// What a shell completes after the flag or in the place of the positional.
enum class Completion { kNone, kFile, kDirectory };

// Every member has an initialiser, so that a table names only what an entry has.
struct Flag {
  std::string name{};                  // long name without dashes; unique within a command
  char letter = 0;                     // short name; 0 is none
  std::vector<std::string> aliases{};  // other long names, accepted and completed
  std::string negation{};  // switches only: the long name that turns it off again ("no-stem")
  FlagType type = FlagType::kSwitch;
  bool repeatable = false;        // several values collect; otherwise the last one wins
  bool required = false;          // a usage error when it has no value from anywhere
  std::string value{};            // the name of its value in texts: "N", "DIR"
  std::string unit{};             // "tokens": part of range messages and of the schema
  std::optional<double> least{};  // numbers, sizes (bytes) and durations (ms): both ends included
  std::optional<double> most{};
  std::vector<std::string> choices{};  // kChoice: what may be given
  std::string fallback{};              // the default, as it would be typed; empty is none
  std::string environment{};  // a variable that gives the value when the command line does not
  std::string category{};     // heading in help and man page; empty is "Options"
  std::string help{};         // one line of at most 60 characters, lower case, no full stop
  std::string details{};      // more sentences, for the man page; may be empty
  Completion completion = Completion::kNone;
  std::vector<std::string> conflicts{};  // long names that may not be given together with this one
  bool content = false;  // its value is query or corpus text: kept out of traces unless asked for
  bool hidden = false;   // parsed, but in no generated text
};

struct Positional {
  std::string name{};       // upper case: "QUERY"
  std::string help{};       // one line, like a flag's
  bool required = false;    // a required one never follows an optional one
  bool repeatable = false;  // takes all that follow; the last positional only
  Completion completion = Completion::kNone;
  bool content = false;  // as for flags
};

struct Example {
  std::string command{};
  std::string sentence{};  // what it does, with a full stop
};

struct Variable {
  std::string name{};
  std::string sentence{};
};

// A subcommand: rag-index build.
struct CommandSpec {
  std::string name{};
  std::string summary{};                   // lower case, no full stop
  std::vector<std::string> description{};  // paragraphs
  std::vector<Positional> positionals{};
  std::vector<Flag> flags{};
  std::vector<Example> examples{};
};

struct ToolSpec {
  std::string name{};
  std::string summary{};                   // lower case, no full stop
  std::vector<std::string> description{};  // paragraphs
  std::vector<Positional> positionals{};   // without subcommands only
  std::vector<Flag> flags{};               // with subcommands: accepted by each of them
  std::vector<CommandSpec> commands{};     // when not empty, the first argument names one of them
  std::string default_command{};           // the one meant when it names none; empty: an error
  std::vector<Example> examples{};
  std::vector<Variable> environment{};  // variables besides those of flags
  std::vector<std::string> see_also{};  // man pages: "rag-index(1)"
};

// --help, --version, --schema and the hidden --generate: part of every tool, added by the parser
// and the texts.
const std::vector<Flag>& universal_flags();

// The flags that hold for `command` (nullptr: the tool itself): its own, the tool's, the universal
// ones. Valid while the spec is.
std::vector<const Flag*> flags_of(const ToolSpec& spec, const CommandSpec* command);
const std::vector<Positional>& positionals_of(const ToolSpec& spec, const CommandSpec* command);
// nullptr when the tool has no default command.
const CommandSpec* default_command_of(const ToolSpec& spec);

// What is wrong with a table, for a tool's test: a name used twice, a help line over 60 characters,
// a choice without choices, a default that is no valid value, a conflict with a flag that does not
// exist. Empty when it is sound.
std::vector<std::string> spec_faults(const ToolSpec& spec);

}  // namespace ragline
