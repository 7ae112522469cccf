#include "cli/spec.h"

#include <algorithm>
#include <set>

#include "cli/flags.h"
#include "core/text.h"

namespace ragline {

const std::vector<Flag>& universal_flags() {
  static const std::vector<Flag> flags{
      {.name = "help", .letter = 'h', .category = "General", .help = "show this help"},
      {.name = "version", .letter = 'V', .category = "General", .help = "show name and version"},
      {.name = "schema",
       .category = "General",
       .help = "describe the tool as a JSON function for agents",
       .details = "Prints a function-calling description: name, description and a JSON Schema of "
                  "the parameters. A "
                  "property is the long name of a flag, or a positional in lower case; positionals "
                  "come first."},
      {.name = "generate",
       .type = FlagType::kChoice,
       .value = "WHAT",
       .choices = {"man", "bash", "zsh", "fish"},
       .category = "General",
       .help = "print the man page or a completion",
       .hidden = true},
  };
  return flags;
}

std::vector<const Flag*> flags_of(const ToolSpec& spec, const CommandSpec* command) {
  std::vector<const Flag*> flags;
  if (command)
    for (const Flag& flag : command->flags) flags.push_back(&flag);
  for (const Flag& flag : spec.flags) flags.push_back(&flag);
  for (const Flag& flag : universal_flags()) flags.push_back(&flag);
  return flags;
}

const std::vector<Positional>& positionals_of(const ToolSpec& spec, const CommandSpec* command) {
  return command ? command->positionals : spec.positionals;
}

const CommandSpec* default_command_of(const ToolSpec& spec) {
  for (const CommandSpec& command : spec.commands)
    if (command.name == spec.default_command) return &command;
  return nullptr;
}

namespace {

void check_flag(const Flag& flag, const std::string& where, std::vector<std::string>& faults) {
  auto fault = [&](std::string_view what) {
    faults.push_back(cat(where, " --", flag.name, ": ", what));
  };
  if (flag.name.empty()) fault("has no name");
  if (flag.help.empty() || flag.help.size() > 60) fault("help must have 1 to 60 characters");
  if (flag.help.ends_with('.')) fault("help ends in a full stop");
  if ((flag.type == FlagType::kChoice) == flag.choices.empty()) fault("choices belong to kChoice");
  if (flag.type == FlagType::kSwitch) {
    if (!flag.value.empty() || flag.repeatable || !flag.fallback.empty())
      fault("a switch has no value, list or default");
  } else {
    if (flag.value.empty()) fault("needs a name for its value");
    if (!flag.negation.empty()) fault("only a switch has a negation");
  }
  if (!flag.fallback.empty() && !check_value(flag, "default", flag.fallback))
    fault("the default is not valid");
}

void check_command(const ToolSpec& spec, const CommandSpec* command,
                   std::vector<std::string>& faults) {
  const std::string where = command ? cat(spec.name, " ", command->name) : spec.name;
  const auto flags = flags_of(spec, command);
  std::set<std::string> names, letters;
  auto unique = [&](std::set<std::string>& seen, const std::string& name) {
    if (!seen.insert(name).second) faults.push_back(cat(where, ": '", name, "' is used twice"));
  };
  for (const Flag* flag : flags) {
    check_flag(*flag, where, faults);
    unique(names, flag->name);
    for (const auto& alias : flag->aliases) unique(names, alias);
    if (!flag->negation.empty()) unique(names, flag->negation);
    if (flag->letter) unique(letters, std::string(1, flag->letter));
  }
  for (const Flag* flag : flags)
    for (const auto& other : flag->conflicts)
      if (!names.contains(other))
        faults.push_back(cat(where, " --", flag->name, ": no flag '", other, "'"));
  const auto& positionals = positionals_of(spec, command);
  for (std::size_t i = 0; i + 1 < positionals.size(); ++i) {
    if (positionals[i].repeatable)
      faults.push_back(cat(where, " ", positionals[i].name, ": not the last"));
    if (!positionals[i].required && positionals[i + 1].required)
      faults.push_back(
          cat(where, " ", positionals[i + 1].name, ": required after an optional one"));
  }
}

}  // namespace

std::vector<std::string> spec_faults(const ToolSpec& spec) {
  std::vector<std::string> faults;
  if (spec.name.empty() || spec.summary.empty())
    faults.push_back("a tool has a name and a summary");
  if (spec.commands.empty()) check_command(spec, nullptr, faults);
  if (!spec.default_command.empty() && !default_command_of(spec))
    faults.push_back(cat(spec.name, ": no command '", spec.default_command, "'"));
  for (const CommandSpec& command : spec.commands) {
    if (command.summary.empty())
      faults.push_back(cat(spec.name, " ", command.name, ": has no summary"));
    check_command(spec, &command, faults);
  }
  return faults;
}

}  // namespace ragline
