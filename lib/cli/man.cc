#include <algorithm>

#include "cli/help.h"
#include "core/text.h"

// The man page. Text is escaped for roff: a backslash is \e, a dash \- (so that a copied command has ASCII dashes), and
// a line that begins with a dot or an apostrophe gets \& in front; `backquoted` words are bold.
namespace ragline {

namespace {

std::string roff(std::string_view text) {
  std::string out;
  bool bold = false, line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '\'': out += "\\(aq"; break;
      case '^': out += "\\(ha"; break;
      case '~': out += "\\(ti"; break;
      case '`':
        bold = !bold;
        out += bold ? "\\fB" : "\\fR";
        break;
      default: out += c;
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

void append_flag(std::string& out, const Flag& flag) {
  out += ".TP\n";
  std::string spellings;
  if (flag.letter) spellings = bold(cat('-', flag.letter));
  for (const auto& name : long_names(flag)) append(spellings, spellings.empty() ? "" : ", ", bold(cat("--", name)));
  if (!flag.value.empty()) append(spellings, ' ', italic(flag.value));
  append(out, spellings, '\n', roff(sentence(flag.help)), '\n');
  if (!flag.details.empty()) append(out, roff(flag.details), '\n');
  if (flag.type == FlagType::kChoice) {
    out += "One of ";
    for (std::size_t i = 0; i < flag.choices.size(); ++i)
      append(out, i == 0 ? "" : i + 1 == flag.choices.size() ? " and " : ", ", bold(flag.choices[i]));
    out += ".\n";
  }
  if (flag.least && flag.most)
    append(out, "From ", roff(number_text(*flag.least)), " to ", roff(number_text(*flag.most)), ".\n");
  if (flag.required) out += "Required.\n";
  if (flag.repeatable) out += "May be given several times.\n";
  if (!flag.fallback.empty()) append(out, "The default is ", bold(flag.fallback), ".\n");
  if (!flag.environment.empty()) append(out, "The variable ", bold(flag.environment), " gives it too.\n");
  if (!flag.conflicts.empty()) {
    out += "Not together with ";
    for (std::size_t i = 0; i < flag.conflicts.size(); ++i)
      append(out, i == 0 ? "" : " or ", bold(cat("--", flag.conflicts[i])));
    out += ".\n";
  }
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
    append(out, ".PP\n", roff(example.sentence), "\n.PP\n.RS 4\n.nf\n", roff(example.command), "\n.fi\n.RE\n");
}

void append_command(std::string& out, const ToolSpec& spec, const CommandSpec& command) {
  append(out, ".SS ", quoted(usage_line(spec, &command)), '\n', roff(sentence(command.summary)), '\n');
  append_paragraphs(out, command.description);
  append_positionals(out, command.positionals);
  for (const Flag& flag : command.flags)
    if (!flag.hidden) append_flag(out, flag);
  append_examples(out, command.examples);
}

void append_environment(std::string& out, const ToolSpec& spec) {
  std::vector<std::pair<std::string, std::string>> variables;
  auto add = [&](const std::vector<Flag>& flags) {
    for (const Flag& flag : flags) {
      const bool known = std::ranges::any_of(variables, [&](auto& v) { return v.first == flag.environment; });
      if (!flag.environment.empty() && !known)
        variables.emplace_back(flag.environment, cat("The default of `--", flag.name, "`."));
    }
  };
  for (const CommandSpec& command : spec.commands) add(command.flags);
  add(spec.flags);
  variables.insert(variables.end(), spec.environment.begin(), spec.environment.end());
  if (variables.empty()) return;
  out += ".SH ENVIRONMENT\n";
  for (const auto& [name, text] : variables) append(out, ".TP\n", bold(name), '\n', roff(text), '\n');
}

}  // namespace

std::string man_page(const ToolSpec& spec) {
  std::string out = cat(".\\\" Generated from the flag table by scripts/gen-docs. Do not edit.\n");
  append(out, ".TH ", quoted(upper(spec.name)), " 1 \"\" ", quoted(cat("ragline ", RAGLINE_VERSION)), " ",
         quoted("ragline manual"), "\n.nh\n.ad l\n");
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
  for (const auto& [code, text] : exit_status_texts()) append(out, ".TP\n", bold(cat(code)), '\n', roff(text), '\n');
  append_environment(out, spec);
  if (!spec.examples.empty()) out += ".SH EXAMPLES\n";
  append_examples(out, spec.examples);
  if (!spec.see_also.empty()) {
    out += ".SH SEE ALSO\n";
    for (std::size_t i = 0; i < spec.see_also.size(); ++i)
      append(out, ".BR ", roff(spec.see_also[i].substr(0, spec.see_also[i].find('('))), " ",
             spec.see_also[i].find('(') == std::string::npos ? "" : spec.see_also[i].substr(spec.see_also[i].find('(')),
             i + 1 < spec.see_also.size() ? " ,\n" : "\n");
  }
  return out;
}

}  // namespace ragline
