#include <algorithm>

#include "cli/flags.h"
#include "cli/help.h"
#include "core/text.h"

// The man page. Text is escaped for roff: a backslash is \e, a dash \- (so that a copied command
// has ASCII dashes), and a line that begins with a dot or an apostrophe gets \& in front;
// `backquoted` words are bold.
namespace ragline {

namespace {

std::string roff(std::string_view text) {
  std::string out;
  bool bold = false, line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '`':
        bold = !bold;
        out += bold ? "\\fB" : "\\fR";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) { return cat("\\fB", roff(text), "\\fR"); }
std::string italic(std::string_view text) { return cat("\\fI", roff(text), "\\fR"); }

// A macro's argument in quotes; a quote inside is doubled.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : roff(text)) append(out, c == '"' ? "\"\"" : std::string(1, c));
  return out + '"';
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

// "help line" -> "Help line."
std::string sentence(std::string_view line) {
  std::string out(line);
  if (!out.empty()) out[0] = upper(out.substr(0, 1))[0];
  return out + '.';
}

// "a, b or c"
std::string bold_list(const std::vector<std::string>& words, std::string_view prefix) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += bold(cat(prefix, words[i]));
  }
  return out;
}

void append_flag(std::string& out, const Flag& flag) {
  out += ".TP\n";
  std::string spellings;
  if (flag.letter) spellings = bold(cat('-', flag.letter));
  for (const auto& name : long_names(flag))
    append(spellings, spellings.empty() ? "" : ", ", bold(cat("--", name)));
  if (!flag.value.empty()) append(spellings, ' ', italic(flag.value));
  append(out, spellings, '\n', roff(sentence(flag.help)), '\n');
  if (!flag.details.empty()) append(out, roff(flag.details), '\n');
  if (flag.type == FlagType::kChoice) append(out, "One of ", bold_list(flag.choices, ""), ".\n");
  if (!flag.unit.empty()) append(out, "In ", roff(flag.unit), ".\n");
  if (flag.least) append(out, "At least ", roff(bound_text(flag, *flag.least)), ".\n");
  if (flag.most) append(out, "At most ", roff(bound_text(flag, *flag.most)), ".\n");
  if (flag.required) out += "Required.\n";
  if (flag.repeatable) out += "May be given several times.\n";
  if (!flag.fallback.empty()) append(out, "The default is ", bold(flag.fallback), ".\n");
  if (!flag.environment.empty())
    append(out, "The variable ", bold(flag.environment), " gives it too.\n");
  if (!flag.conflicts.empty())
    append(out, "Not together with ", bold_list(flag.conflicts, "--"), ".\n");
}

void append_groups(std::string& out, const std::vector<const Flag*>& flags, const char* heading) {
  for (const auto& [category, group] : group_flags(flags)) {
    append(out, heading, ' ', quoted(category), '\n');
    for (const Flag* flag : group) append_flag(out, *flag);
  }
}

void append_positionals(std::string& out, const std::vector<Positional>& positionals) {
  for (const Positional& positional : positionals)
    append(out, ".TP\n", italic(positional.name), positional.repeatable ? " ...\n" : "\n",
           roff(sentence(positional.help)), '\n');
}

void append_paragraphs(std::string& out, const std::vector<std::string>& paragraphs) {
  for (const auto& paragraph : paragraphs) append(out, ".PP\n", roff(paragraph), '\n');
}

void append_examples(std::string& out, const std::vector<Example>& examples) {
  for (const Example& example : examples)
    append(out, ".PP\n", roff(example.sentence), "\n.PP\n.RS 4\n.nf\n", roff(example.command),
           "\n.fi\n.RE\n");
}

void append_command(std::string& out, const ToolSpec& spec, const CommandSpec& command) {
  append(out, ".SS ", quoted(usage_line(spec, &command)), '\n', roff(sentence(command.summary)),
         '\n');
  append_paragraphs(out, command.description);
  append_positionals(out, command.positionals);
  for (const Flag& flag : command.flags)
    if (!flag.hidden) append_flag(out, flag);
  append_examples(out, command.examples);
}

void append_environment(std::string& out, const ToolSpec& spec) {
  std::vector<Variable> variables;
  auto add = [&](const std::vector<Flag>& flags) {
    for (const Flag& flag : flags) {
      const bool known =
          std::ranges::any_of(variables, [&](auto& v) { return v.name == flag.environment; });
      if (!flag.environment.empty() && !known)
        variables.push_back({flag.environment, cat("The default of `--", flag.name, "`.")});
    }
  };
  for (const CommandSpec& command : spec.commands) add(command.flags);
  add(spec.flags);
  variables.insert(variables.end(), spec.environment.begin(), spec.environment.end());
  if (variables.empty()) return;
  out += ".SH ENVIRONMENT\n";
  for (const auto& [name, text] : variables)
    append(out, ".TP\n", bold(name), '\n', roff(text), '\n');
}

}  // namespace

std::string man_page(const ToolSpec& spec) {
  std::string out = cat(".\\\" Generated from the flag table by scripts/gen-docs. Do not edit.\n");
  append(out, ".TH ", quoted(upper(spec.name)), " 1 \"\" ",
         quoted(cat("ragline ", RAGLINE_VERSION)), " ", quoted("ragline manual"),
         "\n.nh\n.ad l\n.ss 12 0\n");
  append(out, ".SH NAME\n", roff(spec.name), " \\- ", roff(spec.summary), "\n.SH SYNOPSIS\n");
  if (spec.commands.empty()) append(out, roff(usage_line(spec, nullptr)), '\n');
  for (std::size_t i = 0; i < spec.commands.size(); ++i)
    append(out, i ? ".br\n" : "", roff(usage_line(spec, &spec.commands[i])), '\n');
  if (!spec.description.empty()) out += ".SH DESCRIPTION\n";
  append_paragraphs(out, spec.description);
  if (!spec.positionals.empty()) out += ".SH ARGUMENTS\n";
  append_positionals(out, spec.positionals);
  if (!spec.commands.empty()) out += ".SH COMMANDS\n";
  for (const CommandSpec& command : spec.commands) append_command(out, spec, command);
  out += ".SH OPTIONS\n";
  if (!spec.commands.empty()) out += "Every command takes these.\n";
  append_groups(out, flags_of(spec, nullptr), ".SS");
  out += ".SH EXIT STATUS\n";
  for (const auto& [code, text] : exit_status_texts())
    append(out, ".TP\n", bold(cat(code)), '\n', roff(text), '\n');
  append_environment(out, spec);
  if (!spec.examples.empty()) out += ".SH EXAMPLES\n";
  append_examples(out, spec.examples);
  if (!spec.see_also.empty()) out += ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < spec.see_also.size(); ++i) {
    const std::string& page = spec.see_also[i];
    const std::size_t name_end = std::min(page.find('('), page.size());
    append(out, ".BR ", roff(page.substr(0, name_end)), ' ', page.substr(name_end),
           i + 1 < spec.see_also.size() ? ",\n" : "\n");
  }
  return out;
}

}  // namespace ragline
