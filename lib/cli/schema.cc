#include "cli/help.h"
#include "core/text.h"
#include "record/writer.h"

// The function-calling description of a tool.
namespace ragline {

namespace {

// `backquotes` are for the man page.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != '`') out += c;
  return out;
}

std::string json_strings(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const auto& text : texts) append(out, out.size() > 1 ? "," : "", json_string(text));
  return out + ']';
}

void add_type(JsonObject& object, const Flag& flag) {
  switch (flag.type) {
    case FlagType::kSwitch:
      object.add("type", "boolean");
      return;
    case FlagType::kText:
      object.add("type", "string");
      return;
    case FlagType::kChoice:
      object.add("type", "string").raw("enum", json_strings(flag.choices));
      return;
    case FlagType::kSize:
      object.add("type", "string").add("pattern", "^[0-9]+[KMGkmg]?[Bb]?$");
      return;
    case FlagType::kDuration:
      object.add("type", "string").add("pattern", "^[0-9]+(ms|s|m)$");
      return;
    case FlagType::kInteger:
    case FlagType::kNumber: {
      object.add("type", flag.type == FlagType::kInteger ? "integer" : "number");
      if (flag.least) object.raw("minimum", number_text(*flag.least));
      if (flag.most) object.raw("maximum", number_text(*flag.most));
      return;
    }
  }
}

std::string flag_schema(const Flag& flag) {
  std::string out, description = flag.help;
  if (!flag.unit.empty()) append(description, " (", flag.unit, ')');
  if (!flag.details.empty()) append(description, ". ", plain(flag.details));
  JsonObject object(out);
  if (flag.repeatable) {
    std::string items;
    JsonObject item(items);
    add_type(item, flag);
    item.close();
    object.add("type", "array").raw("items", items);
  } else {
    add_type(object, flag);
  }
  object.add("description", description);
  if (!flag.fallback.empty() && !flag.repeatable) {
    const bool number = flag.type == FlagType::kInteger || flag.type == FlagType::kNumber;
    // Read and written again: "1." is a number for us and none for JSON.
    object.raw("default", number ? number_text(parse_double(flag.fallback).value_or(0))
                                 : json_string(flag.fallback));
  }
  object.close();
  return out;
}

std::string positional_schema(const Positional& positional) {
  std::string out;
  JsonObject object(out);
  if (positional.repeatable)
    object.add("type", "array").raw("items", R"({"type":"string"})");
  else
    object.add("type", "string");
  object.add("description", positional.help).close();
  return out;
}

std::string function_json(const ToolSpec& spec, const CommandSpec* command) {
  std::string properties;
  std::vector<std::string> required;
  JsonObject object(properties);
  for (const Positional& positional : positionals_of(spec, command)) {
    object.raw(ascii_lower(positional.name), positional_schema(positional));
    if (positional.required) required.push_back(ascii_lower(positional.name));
  }
  for (const Flag* flag : flags_of(spec, command)) {
    if (flag->hidden) continue;
    object.raw(flag->name, flag_schema(*flag));
    if (flag->required && flag->environment.empty()) required.push_back(flag->name);
  }
  object.close();

  std::string parameters;
  JsonObject schema(parameters);
  schema.add("type", "object")
      .raw("properties", properties)
      .raw("required", json_strings(required));
  schema.add("additionalProperties", false).close();

  std::string description = command ? command->summary : spec.summary;
  for (const auto& paragraph : command ? command->description : spec.description)
    append(description, description.ends_with('.') ? " " : ". ", plain(paragraph));
  std::string out;
  JsonObject function(out);
  function.add("name", command ? cat(spec.name, "-", command->name) : spec.name);
  function.add("description", description).raw("parameters", parameters).close();
  return out;
}

}  // namespace

std::string schema_json(const ToolSpec& spec) {
  if (spec.commands.empty()) return function_json(spec, nullptr) + '\n';
  std::string out = "[";
  for (const CommandSpec& command : spec.commands)
    append(out, out.size() > 1 ? "," : "", function_json(spec, &command));
  return out + "]\n";
}

}  // namespace ragline
