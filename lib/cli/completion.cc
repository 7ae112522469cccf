#include <algorithm>

#include "cli/help.h"
#include "core/text.h"

// Completions for the three shells. All quote with '...' and none runs the tool, so a completion
// never waits for it.
namespace ragline {

namespace {

constexpr const char* kNotice =
    "# Generated from the flag table by scripts/gen-docs. Do not edit.\n";

// A shell's single-quoted word; `escape` is what a quote inside becomes.
std::string quoted(std::string_view text, std::string_view escape) {
  std::string out = "'";
  for (const char c : text) append(out, c == '\'' ? escape : std::string_view(&c, 1));
  return out + '\'';
}

std::string function_name(const ToolSpec& spec, const CommandSpec* command) {
  std::string name =
      cat('_', spec.name, command ? "_" : "", command ? command->name : std::string());
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string joined(const std::vector<std::string>& words, char separator) {
  std::string out;
  for (const auto& word : words) {
    if (!out.empty()) out += separator;
    out += word;
  }
  return out;
}

std::vector<const Flag*> visible_flags(const ToolSpec& spec, const CommandSpec* command) {
  auto flags = flags_of(spec, command);
  std::erase_if(flags, [](const Flag* flag) { return flag->hidden; });
  return flags;
}

// What the positionals of a command complete to: the first kind that any of them has.
Completion positional_completion(const ToolSpec& spec, const CommandSpec* command) {
  for (const Positional& positional : positionals_of(spec, command))
    if (positional.completion != Completion::kNone) return positional.completion;
  return Completion::kNone;
}

std::string command_names(const ToolSpec& spec) {
  std::vector<std::string> names;
  for (const CommandSpec& command : spec.commands) names.push_back(command.name);
  return joined(names, ' ');
}

// ---- bash

const char* bash_paths(Completion completion) {
  switch (completion) {
    case Completion::kFile:
      return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")";
    case Completion::kDirectory:
      return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")";
    case Completion::kNone:
      break;
  }
  return ":";
}

void append_bash_function(std::string& out, const ToolSpec& spec, const CommandSpec* command) {
  append(out, function_name(spec, command), "() {\n  case $prev in\n");
  std::vector<std::string> words;
  for (const Flag* flag : visible_flags(spec, command)) {
    std::vector<std::string> spellings;
    for (const auto& name : long_names(*flag)) spellings.push_back(cat("--", name));
    words.insert(words.end(), spellings.begin(), spellings.end());
    if (flag->letter) {
      spellings.push_back(cat('-', flag->letter));
      words.push_back(spellings.back());
    }
    if (flag->type == FlagType::kSwitch) continue;
    append(out, "    ", joined(spellings, '|'), ")\n      ");
    if (flag->choices.empty())
      out += bash_paths(flag->completion);
    else
      append(out, "mapfile -t COMPREPLY < <(compgen -W ",
             quoted(joined(flag->choices, ' '), "'\\''"), " -- \"$cur\")");
    out += "\n      return ;;\n";
  }
  append(out, "  esac\n  if [[ $cur == -* ]]; then\n    mapfile -t COMPREPLY < <(compgen -W '",
         joined(words, ' '), "' -- \"$cur\")\n  else\n    ");
  if (!command && !spec.commands.empty())
    append(out, "mapfile -t COMPREPLY < <(compgen -W '", command_names(spec), "' -- \"$cur\")");
  else
    out += bash_paths(positional_completion(spec, command));
  out += "\n  fi\n}\n\n";
}

// ---- zsh

// Text inside a specification of _arguments, where brackets and colons have a meaning.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(Completion completion) {
  switch (completion) {
    case Completion::kFile:
      return "_files";
    case Completion::kDirectory:
      return "_files -/";
    case Completion::kNone:
      break;
  }
  return " ";
}

// The specifications of one flag, one for each spelling: '(-k --top)--top=[results per query]:N: '
void append_zsh_flag(std::string& out, const Flag& flag) {
  std::vector<std::string> spellings;
  if (flag.letter) spellings.push_back(cat('-', flag.letter));
  for (const auto& name : long_names(flag)) spellings.push_back(cat("--", name));
  for (const auto& spelling : spellings) {
    std::string text = flag.repeatable ? "*" : cat('(', joined(spellings, ' '), ')');
    text += spelling;
    if (flag.type != FlagType::kSwitch) text += spelling.starts_with("--") ? "=" : "+";
    append(text, '[', zsh_text(flag.help), ']');
    if (flag.type != FlagType::kSwitch) {
      append(text, ':', zsh_text(flag.value), ':');
      text += flag.choices.empty() ? zsh_action(flag.completion)
                                   : cat('(', joined(flag.choices, ' '), ')');
    }
    append(out, "    ", quoted(text, "'\\''"), " \\\n");
  }
}

void append_zsh_function(std::string& out, const ToolSpec& spec, const CommandSpec* command) {
  append(out, function_name(spec, command), "() {\n  _arguments -s -S \\\n");
  for (const Flag* flag : visible_flags(spec, command)) append_zsh_flag(out, *flag);
  for (const Positional& positional : positionals_of(spec, command)) {
    std::string text = positional.repeatable ? "*:" : ":";
    if (!positional.repeatable && !positional.required) text += ':';
    append(text, zsh_text(positional.name), ':', zsh_action(positional.completion));
    append(out, "    ", quoted(text, "'\\''"), " \\\n");
  }
  out += "    && return 0\n}\n\n";
}

// ---- fish

std::string fish_quoted(std::string_view text) {
  std::string escaped;
  for (const char c : text) append(escaped, c == '\\' ? "\\\\" : std::string_view(&c, 1));
  return quoted(escaped, "\\'");
}

void append_fish_flag(std::string& out, const std::string& start, const Flag& flag) {
  for (const auto& name : long_names(flag)) {
    out += start;
    if (flag.letter && name == flag.name) append(out, " -s ", flag.letter);
    append(out, " -l ", name);
    if (!flag.choices.empty())
      append(out, " -x -a ", fish_quoted(joined(flag.choices, ' ')));
    else if (flag.completion == Completion::kFile)
      out += " -r -F";
    else if (flag.completion == Completion::kDirectory)
      out += " -x -a '(__fish_complete_directories)'";
    else if (flag.type != FlagType::kSwitch)
      out += " -x";
    append(out, " -d ", fish_quoted(flag.help), '\n');
  }
}

void append_fish_positionals(std::string& out, const std::string& start, Completion completion) {
  if (completion == Completion::kFile) append(out, start, " -F\n");
  if (completion == Completion::kDirectory)
    append(out, start, " -a '(__fish_complete_directories)'\n");
}

}  // namespace

std::string bash_completion(const ToolSpec& spec) {
  std::string out = kNotice;
  const std::string entry = cat(function_name(spec, nullptr), "_complete");
  append_bash_function(out, spec, nullptr);
  for (const CommandSpec& command : spec.commands) append_bash_function(out, spec, &command);
  // bash splits --color=auto at the equals sign; the flag is then two words back.
  append(out, entry,
         "() {\n  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n",
         "  COMPREPLY=()\n", "  if [[ $cur == = ]]; then cur=\n",
         "  elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n");
  if (!spec.commands.empty()) {
    const bool first_only = default_command_of(spec) != nullptr;
    append(out, "  local word\n  for word in \"${COMP_WORDS[@]:1:",
           first_only ? "COMP_CWORD>1" : "COMP_CWORD-1", "}\"; do\n    case $word in\n");
    for (const CommandSpec& command : spec.commands)
      append(out, "      ", command.name, ") ", function_name(spec, &command), "; return ;;\n");
    out += "    esac\n  done\n";
  }
  // The default command's files come beside the names of the commands.
  if (const CommandSpec* command = default_command_of(spec))
    append(out, "  ", function_name(spec, command), "\n  if ((COMP_CWORD == 1)); then\n",
           "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W '", command_names(spec),
           "' -- \"$cur\")\n  fi\n}\n");
  else
    append(out, "  ", function_name(spec, nullptr), "\n}\n");
  append(out, "complete -F ", entry, ' ', spec.name, '\n');
  return out;
}

namespace {

// The first word may name a command; all else belongs to the default command.
void append_zsh_default(std::string& out, const ToolSpec& spec) {
  append(out, function_name(spec, nullptr),
         "() {\n  if (( CURRENT > 2 )); then\n    case $words[2] in\n");
  for (const CommandSpec& command : spec.commands)
    append(out, "      ", command.name, ") shift words; (( CURRENT-- )); ",
           function_name(spec, &command), "; return ;;\n");
  append(out, "    esac\n  else\n    compadd -- ", command_names(spec), "\n  fi\n  ",
         function_name(spec, default_command_of(spec)), "\n}\n\n");
}

}  // namespace

std::string zsh_completion(const ToolSpec& spec) {
  std::string out = cat("#compdef ", spec.name, '\n', kNotice, '\n');
  for (const CommandSpec& command : spec.commands) append_zsh_function(out, spec, &command);
  if (spec.commands.empty()) {
    append_zsh_function(out, spec, nullptr);
  } else if (default_command_of(spec)) {
    append_zsh_default(out, spec);
  } else {
    append(out, function_name(spec, nullptr),
           "() {\n  local context state line\n  typeset -A opt_args\n",
           "  _arguments -C -s -S \\\n");
    for (const Flag* flag : visible_flags(spec, nullptr)) append_zsh_flag(out, *flag);
    out +=
        "    '1:command:->command' '*::argument:->argument' && return 0\n  case $state in\n    "
        "command)\n"
        "      local -a commands=(\n";
    for (const CommandSpec& command : spec.commands)
      append(out, "        ", quoted(cat(command.name, ":", zsh_text(command.summary)), "'\\''"),
             '\n');
    out += "      )\n      _describe command commands ;;\n    argument)\n      case $words[1] in\n";
    for (const CommandSpec& command : spec.commands)
      append(out, "        ", command.name, ") ", function_name(spec, &command), " ;;\n");
    out += "      esac ;;\n  esac\n}\n\n";
  }
  append(out, function_name(spec, nullptr), " \"$@\"\n");
  return out;
}

std::string fish_completion(const ToolSpec& spec) {
  const std::string start = cat("complete -c ", spec.name);
  std::string out = cat(kNotice, start, " -f\n");
  for (const Flag* flag : visible_flags(spec, nullptr)) append_fish_flag(out, start, *flag);
  append_fish_positionals(out, start, positional_completion(spec, nullptr));
  const std::string none =
      cat(start, " -n 'not __fish_seen_subcommand_from ", command_names(spec), '\'');
  for (const CommandSpec& command : spec.commands)
    append(out, none, " -a ", command.name, " -d ", fish_quoted(command.summary), '\n');
  for (const CommandSpec& command : spec.commands) {
    const std::string seen =
        &command == default_command_of(spec)
            ? none
            : cat(start, " -n '__fish_seen_subcommand_from ", command.name, '\'');
    for (const Flag& flag : command.flags)
      if (!flag.hidden) append_fish_flag(out, seen, flag);
    append_fish_positionals(out, seen, positional_completion(spec, &command));
  }
  return out;
}

}  // namespace ragline
