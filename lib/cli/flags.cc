#include "cli/flags.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "core/text.h"

namespace ragline {

namespace {
const std::string kNoText;
const std::vector<std::string> kNoList;

// Whether any command of the tool has this flag; only then may a body ask for it.
[[maybe_unused]] bool is_in_table(const ToolSpec& spec, std::string_view name) {
  auto in = [&](const std::vector<Flag>& flags) {
    return std::ranges::any_of(flags, [&](const Flag& flag) { return flag.name == name; });
  };
  return in(spec.flags) || in(universal_flags()) ||
         std::ranges::any_of(spec.commands,
                             [&](const CommandSpec& command) { return in(command.flags); });
}
}  // namespace

const char* system_variable(const char* name) { return std::getenv(name); }

bool Flags::knows(std::string_view name) const {
  return std::ranges::any_of(entries_,
                             [&](const Entry& entry) { return entry.flag->name == name; });
}

const Flags::Entry* Flags::find(std::string_view name) const {
  for (const Entry& entry : entries_)
    if (entry.flag->name == name) return &entry;
  assert(spec_ && is_in_table(*spec_, name));
  return nullptr;
}

bool Flags::given(std::string_view name) const {
  const Entry* entry = find(name);
  return entry && entry->given;
}

bool Flags::has(std::string_view name) const {
  const Entry* entry = find(name);
  return entry && !entry->texts.empty();
}

bool Flags::on(std::string_view name) const { return text(name) == "true"; }

std::int64_t Flags::count(std::string_view name) const {
  const Entry* entry = find(name);
  return entry ? entry->count : 0;
}

const std::string& Flags::text(std::string_view name) const {
  const Entry* entry = find(name);
  return entry && !entry->texts.empty() ? entry->texts.back() : kNoText;
}

// The texts were checked by the parser, so the conversions below cannot fail on a value that is
// there.
std::int64_t Flags::integer(std::string_view name) const {
  return parse_integer(text(name)).value_or(0);
}
double Flags::number(std::string_view name) const { return parse_double(text(name)).value_or(0); }
std::uint64_t Flags::size(std::string_view name) const {
  return parse_size(text(name)).value_or(0);
}
std::int64_t Flags::duration_ms(std::string_view name) const {
  return parse_duration_ms(text(name)).value_or(0);
}

const std::vector<std::string>& Flags::list(std::string_view name) const {
  const Entry* entry = find(name);
  return entry ? entry->texts : kNoList;
}

// One pass over the arguments, then the environment, the defaults, and the checks that need the
// whole line.
class FlagParser {
 public:
  FlagParser(const ToolSpec& spec, const std::vector<std::string>& arguments, GetVariable variable)
      : spec_(spec), arguments_(arguments), variable_(variable) {}

  Result<Flags> parse() {
    result_.spec_ = &spec_;
    enter(begins_with_command() ? nullptr : default_command_of(spec_));
    while (next_ < arguments_.size()) {
      RAGLINE_CHECK(take(arguments_[next_++]));
      if (result_.request_ != Request::kRun) return std::move(result_);
    }
    if (!spec_.commands.empty() && !result_.command_)
      return usage(cat("a command is needed: ", command_names()));
    RAGLINE_CHECK(take_variables());
    for (Flags::Entry& entry : result_.entries_)
      if (entry.texts.empty() && !entry.flag->fallback.empty())
        entry.texts.push_back(entry.flag->fallback);
    RAGLINE_CHECK(check_line());
    return std::move(result_);
  }

 private:
  static std::unexpected<Error> usage(std::string message) {
    return fail(ErrorKind::kUsage, std::move(message));
  }

  bool begins_with_command() const {
    return !arguments_.empty() && std::ranges::any_of(spec_.commands, [&](const CommandSpec& each) {
      return each.name == arguments_[0];
    });
  }

  // Sets the table to that of `command`; what was given before the command's name is kept.
  void enter(const CommandSpec* command) {
    std::vector<Flags::Entry> before = std::move(result_.entries_);
    result_.entries_.clear();
    result_.command_ = command;
    for (const Flag* flag : flags_of(spec_, command)) {
      auto old = std::ranges::find(before, flag, &Flags::Entry::flag);
      if (old != before.end())
        result_.entries_.push_back(std::move(*old));
      else
        result_.entries_.push_back({flag, {}, false, 0});
    }
  }

  Status take(const std::string& argument) {
    if (only_positionals_ || argument.size() < 2 || argument[0] != '-')
      return take_positional(argument);
    if (argument == "--") {
      only_positionals_ = true;
      return {};
    }
    return argument[1] == '-' ? take_long(argument) : take_letters(argument);
  }

  Status take_positional(const std::string& argument) {
    if (!spec_.commands.empty() && !result_.command_) return take_command(argument);
    const auto& table = positionals_of(spec_, result_.command_);
    if (result_.positionals_.size() >= table.size() && (table.empty() || !table.back().repeatable))
      return usage(cat("unexpected argument '", argument, "'"));
    result_.positionals_.push_back(argument);
    return {};
  }

  Status take_command(const std::string& argument) {
    std::vector<std::string> names;
    for (const CommandSpec& command : spec_.commands) {
      if (command.name == argument) {
        enter(&command);
        return {};
      }
      names.push_back(command.name);
    }
    const std::string near = nearest_name(argument, names);
    return usage(near.empty()
                     ? cat("unknown command '", argument, "': give one of ", command_names())
                     : cat("unknown command '", argument, "': did you mean ", near, "?"));
  }

  std::string command_names() const {
    std::string names;
    for (const CommandSpec& command : spec_.commands)
      append(names, names.empty() ? "" : ", ", command.name);
    return names;
  }

  Status take_long(const std::string& argument) {
    const std::size_t equals = argument.find('=');
    const std::string place = argument.substr(0, equals);
    const std::string name = place.substr(2);
    const bool has_value = equals != std::string::npos;
    for (Flags::Entry& entry : result_.entries_) {
      const Flag& flag = *entry.flag;
      const bool negated = !flag.negation.empty() && flag.negation == name;
      if (!negated && flag.name != name && std::ranges::count(flag.aliases, name) == 0) continue;
      if (flag.type == FlagType::kSwitch) {
        if (has_value) return usage(cat(place, ": takes no value"));
        return set_switch(entry, !negated);
      }
      if (has_value) return set_value(entry, place, argument.substr(equals + 1));
      return take_value(entry, place);
    }
    return unknown_long(place, name);
  }

  Status unknown_long(const std::string& place, const std::string& name) const {
    std::vector<std::string> names;
    for (const Flags::Entry& entry : result_.entries_) {
      if (entry.flag->hidden) continue;
      names.push_back(entry.flag->name);
      names.insert(names.end(), entry.flag->aliases.begin(), entry.flag->aliases.end());
      if (!entry.flag->negation.empty()) names.push_back(entry.flag->negation);
    }
    if (!result_.command_)
      for (const CommandSpec& command : spec_.commands)
        for (const Flag& flag : command.flags)
          if (flag.name == name)
            return usage(cat("unknown flag ", place, ": ", command.name,
                             " has it, after the command's name"));
    const std::string near = nearest_name(name, names);
    return usage(near.empty() ? cat("unknown flag ", place)
                              : cat("unknown flag ", place, ": did you mean --", near, "?"));
  }

  // -v, -k5, -k 5, -vk5.
  Status take_letters(const std::string& argument) {
    for (std::size_t i = 1; i < argument.size(); ++i) {
      auto entry = std::ranges::find_if(
          result_.entries_, [&](const Flags::Entry& e) { return e.flag->letter == argument[i]; });
      if (entry == result_.entries_.end()) return unknown_letter(argument, i);
      const std::string place = {'-', argument[i]};
      if (entry->flag->type == FlagType::kSwitch) {
        RAGLINE_CHECK(set_switch(*entry, true));
        if (result_.request_ != Request::kRun) return {};
        continue;
      }
      if (i + 1 == argument.size()) return take_value(*entry, place);
      if (is_long_name(argument.substr(1)))  // -index would otherwise be the index "ndex"
        return usage(cat("unknown flag ", argument, ": did you mean -", argument, "?"));
      return set_value(*entry, place, argument.substr(i + 1));
    }
    return {};
  }

  Status unknown_letter(const std::string& argument, std::size_t at) const {
    if (is_long_name(argument.substr(1)))
      return usage(cat("unknown flag ", argument, ": did you mean -", argument, "?"));
    // A pasted question or a negative word is no flag at all; a bundle of letters has no space and
    // is short.
    if (argument.find(' ') != std::string::npos)
      return usage(cat("'", argument, "' begins like a flag: put -- before it"));
    // The letter may be the first byte of a longer character: the whole argument is shown then.
    const bool ascii = static_cast<unsigned char>(argument[at]) < 0x80;
    if (!ascii || argument.size() == 2) return usage(cat("unknown flag ", argument));
    return usage(cat("unknown flag -", argument[at], " in ", argument,
                     ": if it is no flag, put -- before it"));
  }

  bool is_long_name(const std::string& word) const {
    return word.size() >= 3 &&
           std::ranges::any_of(result_.entries_, [&](const Flags::Entry& entry) {
             return entry.flag->name == word || std::ranges::count(entry.flag->aliases, word) > 0;
           });
  }

  Status take_value(Flags::Entry& entry, const std::string& place) {
    if (next_ == arguments_.size())
      return usage(cat(place, ": needs a ", entry.flag->value, " after it"));
    return set_value(entry, place, arguments_[next_++]);
  }

  Status set_value(Flags::Entry& entry, const std::string& place, const std::string& text) {
    RAGLINE_CHECK(check_value(*entry.flag, place, text));
    if (!entry.flag->repeatable) entry.texts.clear();
    entry.texts.push_back(text);
    entry.given = true;
    ++entry.count;
    if (entry.flag->name == "generate") result_.request_ = Request::kGenerate;
    return {};
  }

  Status set_switch(Flags::Entry& entry, bool value) {
    entry.texts.assign(1, value ? "true" : "false");
    entry.given = true;
    entry.count = value ? entry.count + 1 : 0;
    if (entry.flag->name == "help") result_.request_ = Request::kHelp;
    if (entry.flag->name == "version") result_.request_ = Request::kVersion;
    if (entry.flag->name == "schema") result_.request_ = Request::kSchema;
    return {};
  }

  // An empty variable counts as not set. A switch is on for anything but 0, no, off and false.
  Status take_variables() {
    for (Flags::Entry& entry : result_.entries_) {
      const Flag& flag = *entry.flag;
      if (entry.given || flag.environment.empty()) continue;
      const char* text = variable_(flag.environment.c_str());
      if (!text || !*text) continue;
      if (flag.type == FlagType::kSwitch) {
        const std::string value = ascii_lower(text);
        const bool off = value == "0" || value == "no" || value == "off" || value == "false";
        entry.texts.assign(1, off ? "false" : "true");
        continue;
      }
      RAGLINE_CHECK(check_value(flag, flag.environment, text));
      entry.texts.assign(1, text);
    }
    return {};
  }

  Status check_line() const {
    for (const Flags::Entry& entry : result_.entries_) {
      const Flag& flag = *entry.flag;
      if (flag.required && entry.texts.empty()) {
        const std::string remedy = flag.environment.empty() ? "" : cat(" or ", flag.environment);
        return usage(
            cat("--", flag.name, " is missing: give --", flag.name, " ", flag.value, remedy));
      }
      if (!entry.given || entry.texts.back() == "false") continue;
      for (const auto& other : flag.conflicts)
        if (result_.given(other) && result_.text(other) != "false")
          return usage(cat("--", flag.name, " and --", other, " cannot be used together"));
    }
    const auto& table = positionals_of(spec_, result_.command_);
    for (std::size_t i = result_.positionals_.size(); i < table.size(); ++i)
      if (table[i].required) return usage(cat(table[i].name, " is missing: ", table[i].help));
    return {};
  }

  const ToolSpec& spec_;
  const std::vector<std::string>& arguments_;
  GetVariable variable_;
  std::size_t next_ = 0;
  bool only_positionals_ = false;
  Flags result_;
};

Result<Flags> parse_flags(const ToolSpec& spec, const std::vector<std::string>& arguments,
                          GetVariable variable) {
  return FlagParser(spec, arguments, variable).parse();
}

}  // namespace ragline
