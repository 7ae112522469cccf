#include "lexical/query_syntax.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/text.h"

namespace ragline::query_syntax {

namespace {

constexpr std::string_view kOperators = "+-\"():*~^\\";
constexpr std::pair<std::string_view, Field> kFields[] = {{"title", Field::kTitle},
                                                          {"section", Field::kSection},
                                                          {"path", Field::kPath},
                                                          {"text", Field::kContent}};

bool is_digits(std::string_view text, std::size_t most) {
  return !text.empty() && text.size() <= most && text.find_first_not_of("0123456789") == text.npos;
}

// Letters, digits and '_', with single connectors inside: what '*' and '~' may follow.
bool is_simple_word(std::string_view word) {
  bool after_connector = true;
  for (char c : word) {
    const bool letter = is_letter_or_digit(c) || c == '_';
    if (!letter &&
        (after_connector || std::string_view(".-@':/").find(c) == std::string_view::npos))
      return false;
    after_connector = !letter;
  }
  return !after_connector;
}

// The word of `text` that begins at `at`.
std::string_view word_at(std::string_view text, std::size_t at) {
  return text.substr(
      at, static_cast<std::size_t>(
              std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_blank) -
              text.begin()) -
              at);
}

bool is_link(std::string_view word) { return word == "AND" || word == "OR"; }

}  // namespace

bool is_escape(std::string_view query, std::size_t at) {
  return query[at] == '\\' && at + 1 < query.size() &&
         kOperators.find(query[at + 1]) != kOperators.npos;
}

std::string unescape(std::string_view word) {
  if (word.starts_with('\\') && is_link(word.substr(1))) return std::string(word.substr(1));
  std::string out;
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (is_escape(word, at)) ++at;
    out += word[at];
  }
  return out;
}

std::string escape(std::string_view text, bool prefixed) {
  std::string out;
  std::size_t word = 0;  // where the current word begins
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (at > 0 && is_blank(text[at - 1])) word = at;
    const bool begins = at == word && !(prefixed && at == 0);
    bool hide = false;
    switch (c) {
      case '\\':
      case '"':
      case '(':
      case ')':
      case '*':
      case '~':
      case '^':
        hide = true;
        break;
      case '+':
      case '-':
        hide = begins;
        break;
      case ':':
        hide = at == 0 || !field_name(text.substr(word, at + 1 - word)).empty();
        break;
      default:
        hide = begins && is_link(word_at(text, at));
        break;
    }
    if (hide) out += '\\';
    out += c;
  }
  return out;
}

std::string escape_phrase(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string_view field_name(std::string_view text) {
  for (const auto& [name, field] : kFields)
    if (text.size() > name.size() && text[name.size()] == ':' && text.starts_with(name))
      return name;
  return {};
}

Field field_of(std::string_view name) {
  return std::find_if(std::begin(kFields), std::end(kFields),
                      [&](const auto& f) { return f.first == name; })
      ->second;
}

std::string_view name_of(Field field) {
  return std::find_if(std::begin(kFields), std::end(kFields),
                      [&](const auto& f) { return f.second == field; })
      ->first;
}

std::string_view link_word(std::string_view text) {
  const std::string_view head = text.substr(0, text.starts_with('A') ? 3 : 2);
  return is_link(head) && head.size() < text.size() && is_blank(text[head.size()])
             ? head
             : std::string_view();
}

bool all_capitals(std::string_view query) {
  return std::none_of(query.begin(), query.end(),
                      [](char c) { return is_letter(c) && !(c >= 'A' && c <= 'Z'); });
}

std::optional<double> take_boost(std::string_view& word) {
  const std::size_t at = word.rfind('^');
  if (at == word.npos) return std::nullopt;
  std::size_t backslashes = 0;  // an odd number of them hides the '^'
  while (backslashes < at && word[at - 1 - backslashes] == '\\') ++backslashes;
  const std::string_view number = word.substr(at + 1);
  const std::size_t point = number.find('.');
  if (backslashes % 2 || !is_digits(number.substr(0, point), 4) ||
      (point != number.npos && !is_digits(number.substr(point + 1), 4)))
    return std::nullopt;
  const auto boost = parse_double(number);
  if (!boost || *boost <= 0) return std::nullopt;
  word = word.substr(0, at);
  return boost;
}

bool is_field_value(std::string_view word) {
  take_boost(word);
  return !word.empty() && std::string_view(":\"()").find(word.front()) == std::string_view::npos &&
         std::any_of(word.begin(), word.end(), is_letter_or_digit);
}

std::optional<std::uint32_t> take_edits(std::string_view& word) {
  if (!word.ends_with("~1") && !word.ends_with("~2")) return std::nullopt;
  const std::string_view base = word.substr(0, word.size() - 2);
  if (!is_simple_word(base)) return std::nullopt;
  const std::uint32_t edits = word.back() == '1' ? 1 : 2;
  word = base;
  return edits;
}

std::optional<std::uint32_t> take_slop(std::string_view& endings) {
  if (!endings.starts_with('~') || !is_digits(endings.substr(1), 3)) return std::nullopt;
  const auto slop = parse_integer(endings.substr(1));
  endings = {};
  return static_cast<std::uint32_t>(slop.value_or(0));
}

bool take_star(std::string_view& word) {
  if (!word.ends_with('*') || !is_simple_word(word.substr(0, word.size() - 1))) return false;
  word.remove_suffix(1);
  return true;
}

std::string boost_text(double boost) {
  if (boost == 1) return {};
  char buffer[32];
  const auto [end, error] =
      std::to_chars(buffer, buffer + sizeof buffer, boost, std::chars_format::fixed);
  return cat('^', std::string_view(buffer, static_cast<std::size_t>(end - buffer)));
}

}  // namespace ragline::query_syntax
