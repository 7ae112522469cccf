#pragma once
#include <string>
#include <utility>
#include <vector>

#include "cli/spec.h"

// The texts that are derived from a tool's table. Pure functions: the same table gives the same
// bytes, so the man pages and completions can be committed and compared (scripts/gen-docs --check).
namespace ragline {

// --help: usage, flags by category and examples, wrapped to `width` columns. With subcommands and
// `command` nullptr: the list of commands and the flags that all of them take.
std::string help_text(const ToolSpec& spec, const CommandSpec* command, int width);

// roff for man(1), section 1, without a date.
std::string man_page(const ToolSpec& spec);

std::string bash_completion(const ToolSpec& spec);
std::string zsh_completion(const ToolSpec& spec);
std::string fish_completion(const ToolSpec& spec);

// One line of JSON: {"name", "description", "parameters": JSON Schema}; with subcommands an array
// with one function for each, named rag-index-build. A property is the long name of a flag or the
// lower-case name of a positional; positionals come first, in order, and are the only ones that are
// no flag. Sizes and durations are strings with a pattern.
std::string schema_json(const ToolSpec& spec);

// ---- shared by the texts above

// Visible flags under their categories, in order of appearance.
using FlagGroups = std::vector<std::pair<std::string, std::vector<const Flag*>>>;
FlagGroups group_flags(const std::vector<const Flag*>& flags);

// "rag-index build [FLAGS] PATH ..."
std::string usage_line(const ToolSpec& spec, const CommandSpec* command);

// The long spellings of a flag: name, aliases, negation.
std::vector<std::string> long_names(const Flag& flag);

// What the help line does not say: "(text|jsonl; tokens; default 10; also --count; repeatable)".
std::string flag_remarks(const Flag& flag);

// The five exit statuses and what they mean.
const std::vector<std::pair<int, std::string>>& exit_status_texts();

}  // namespace ragline
