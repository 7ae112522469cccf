#include "cli/help.h"

#include <algorithm>

#include "cli/exit.h"
#include "core/text.h"

namespace ragline {

FlagGroups group_flags(const std::vector<const Flag*>& flags) {
  FlagGroups groups;
  for (const Flag* flag : flags) {
    if (flag->hidden) continue;
    const std::string category = flag->category.empty() ? "Options" : flag->category;
    auto group = std::ranges::find(groups, category, &FlagGroups::value_type::first);
    if (group == groups.end()) group = groups.insert(groups.end(), {category, {}});
    group->second.push_back(flag);
  }
  return groups;
}

std::string usage_line(const ToolSpec& spec, const CommandSpec* command) {
  if (!spec.commands.empty() && !command) return cat(spec.name, " COMMAND [FLAGS] ...");
  std::string line = spec.name;
  if (command && command == default_command_of(spec))
    append(line, " [", command->name, ']');
  else if (command)
    append(line, ' ', command->name);
  line += " [FLAGS]";
  for (const Positional& positional : positionals_of(spec, command)) {
    const std::string name = cat(positional.name, positional.repeatable ? " ..." : "");
    append(line, ' ', positional.required ? name : cat('[', name, ']'));
  }
  return line;
}

std::vector<std::string> long_names(const Flag& flag) {
  std::vector<std::string> names{flag.name};
  names.insert(names.end(), flag.aliases.begin(), flag.aliases.end());
  if (!flag.negation.empty()) names.push_back(flag.negation);
  return names;
}

std::string flag_remarks(const Flag& flag) {
  std::string remarks;
  auto add = [&](const std::string& remark) {
    append(remarks, remarks.empty() ? "(" : "; ", remark);
  };
  std::string choices;
  for (const auto& choice : flag.choices) append(choices, choices.empty() ? "" : "|", choice);
  if (!choices.empty()) add(choices);
  if (!flag.unit.empty()) add(flag.unit);
  if (flag.required) add("required");
  if (!flag.fallback.empty()) add(cat("default ", flag.fallback));
  if (!flag.environment.empty()) add(cat("or ", flag.environment));
  for (const auto& alias : flag.aliases) add(cat("also --", alias));
  if (flag.repeatable) add("repeatable");
  return remarks.empty() ? remarks : remarks + ')';
}

const std::vector<std::pair<int, std::string>>& exit_status_texts() {
  static const std::vector<std::pair<int, std::string>> texts{
      {kExitFound, "Something was found, or the work is done."},
      {kExitNothing, "Nothing was found."},
      {kExitError, "An error: usage, data or I/O. It wins over all others."},
      {kExitLimit, "A limit cut the work short. It wins over 4."},
      {kExitUnreadable, "Done, but some input could not be read."},
      {kExitInterrupted, "Interrupted; what was there before is unharmed."},
  };
  return texts;
}

namespace {

// Appends `text` in lines of at most `width` columns, each after `indent` spaces; the first line
// begins at `column`.
void append_wrapped(std::string& out, std::string_view text, std::size_t indent, std::size_t column,
                    std::size_t width) {
  std::size_t at = column;
  bool first = true;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    if (!first && at + 1 + word.size() > width) {
      append(out, '\n', std::string(indent, ' '));
      at = indent;
    } else if (!first) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
    first = false;
  }
  out += '\n';
}

std::string flag_left(const Flag& flag) {
  std::string left = flag.letter ? cat("  -", flag.letter, ", --") : std::string("      --");
  left += flag.name;
  if (!flag.negation.empty()) append(left, ", --", flag.negation);
  if (!flag.value.empty()) append(left, ' ', flag.value);
  return left;
}

// A table of two columns. The left one is as wide as its widest entry up to a third of the line; a
// longer entry has its text on the next line.
using Rows = std::vector<std::pair<std::string, std::string>>;
std::size_t text_column(const Rows& rows, std::size_t width) {
  std::size_t widest = 0;
  for (const auto& [left, text] : rows)
    if (left.size() <= width / 3) widest = std::max(widest, left.size());
  return widest + 2;
}

void append_rows(std::string& out, const Rows& rows, std::size_t column, std::size_t width) {
  for (const auto& [left, text] : rows) {
    out += left;
    if (left.size() + 2 > column)
      append(out, '\n', std::string(column, ' '));
    else
      out.append(column - left.size(), ' ');
    append_wrapped(out, text, column, column, width);
  }
}

}  // namespace

std::string help_text(const ToolSpec& spec, const CommandSpec* command, int columns) {
  const auto width = static_cast<std::size_t>(std::max(columns, 40));
  std::string out;
  const std::string title = command ? cat(spec.name, " ", command->name) : spec.name;
  append_wrapped(out, cat(title, ": ", command ? command->summary : spec.summary), 2, 0, width);
  out += '\n';
  append_wrapped(out, cat("usage: ", usage_line(spec, command)), 7, 0, width);

  Rows arguments, all;
  for (const Positional& positional : positionals_of(spec, command))
    arguments.emplace_back(cat("  ", positional.name), positional.help);
  Rows commands;
  if (!command || command == default_command_of(spec))
    for (const CommandSpec& each : spec.commands)
      if (&each != command) commands.emplace_back(cat("  ", each.name), each.summary);
  std::vector<std::pair<std::string, Rows>> groups;
  for (const auto& [category, flags] : group_flags(flags_of(spec, command))) {
    Rows rows;
    for (const Flag* flag : flags) {
      const std::string remarks = flag_remarks(*flag);
      rows.emplace_back(flag_left(*flag),
                        remarks.empty() ? flag->help : cat(flag->help, ' ', remarks));
    }
    all.insert(all.end(), rows.begin(), rows.end());
    groups.emplace_back(category, std::move(rows));
  }
  const std::size_t column = text_column(all, width);  // one column for the whole page
  auto append_table = [&](const char* heading, const Rows& rows) {
    if (rows.empty()) return;
    out += heading;
    append_rows(out, rows, std::max(column, text_column(rows, width)), width);
  };
  append_table("\n", arguments);
  append_table("\nCommands:\n", commands);
  for (const auto& [category, rows] : groups) {
    append(out, '\n', category, ":\n");
    append_rows(out, rows, column, width);
  }

  const auto& examples = command ? command->examples : spec.examples;
  if (!examples.empty()) out += "\nExamples:\n";
  for (const Example& example : examples) {
    append(out, "  ", example.command, "\n      ");
    append_wrapped(out, example.sentence, 6, 6, width);
  }
  out += '\n';
  if (!commands.empty())
    append_wrapped(out,
                   cat(spec.name, " COMMAND --help shows the flags of a command; man ", spec.name,
                       " says more."),
                   0, 0, width);
  else
    append_wrapped(out, cat("man ", spec.name, " says more."), 0, 0, width);
  return out;
}

}  // namespace ragline
