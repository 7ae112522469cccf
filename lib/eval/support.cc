#include "eval/support.h"

#include <algorithm>
#include <array>

#include "analysis/analyzer.h"
#include "analysis/characters.h"
#include "core/text.h"
#include "eval/citation_marks.h"

namespace ragline {

namespace {

struct QuoteMarks {
  std::string_view open, close;
};
constexpr std::array<QuoteMarks, 6> kQuotes = {{{"\"", "\""},
                                                {"\xE2\x80\x9C", "\xE2\x80\x9D"},    // “ ”
                                                {"\xE2\x80\x9E", "\xE2\x80\x9C"},    // „ “
                                                {"\xC2\xAB", "\xC2\xBB"},            // « »
                                                {"\xE3\x80\x8C", "\xE3\x80\x8D"},    // 「 」
                                                {"\xE3\x80\x8E", "\xE3\x80\x8F"}}};  // 『 』

bool is_long_enough(std::string_view quote) {
  const Tokens words = word_tokens(quote);
  std::size_t cjk = 0;
  for (const std::string& word : words) {
    std::size_t at = 0;
    cjk += is_cjk(decode(word, at));
  }
  return words.size() - cjk >= 3 || cjk >= 4;
}

// Takes the quotes out of `text`, which keeps a blank for each.
void take_quotes(std::string& text, std::vector<Fact>& out) {
  for (const QuoteMarks& marks : kQuotes) {
    std::size_t at = 0;
    while ((at = text.find(marks.open, at)) != text.npos) {
      const std::size_t begin = at + marks.open.size(), end = text.find(marks.close, begin);
      if (end == text.npos) break;
      const std::string quote = text.substr(begin, end - begin);
      if (is_long_enough(quote)) {
        out.push_back({FactKind::kQuote, quote});
        text.replace(at, end + marks.close.size() - at, " ");
        ++at;
      } else {
        at = end + marks.close.size();
      }
    }
  }
}

void blank_out(std::string& text, std::size_t begin, std::size_t end) {
  std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin),
            text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// ASCII words with the marks that hold identifiers together inside them.
bool joins(std::string_view text, std::size_t at) {
  const auto word = [&](std::size_t i) {
    return i < text.size() &&
           (is_upper(text[i]) || is_lower(text[i]) || is_digit(text[i]) || text[i] == '_');
  };
  if (word(at)) return true;
  if (text[at] == ':')
    return (at + 1 < text.size() && text[at + 1] == ':' && word(at + 2)) ||
           (at > 0 && text[at - 1] == ':' && word(at + 1));
  return (text[at] == '.' || text[at] == '-' || text[at] == '/') && at > 0 && word(at - 1) &&
         word(at + 1);
}

bool is_identifier(std::string_view word) {
  bool letter = false, digit = false, camel = false, snake = false, scope = false;
  std::size_t points = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    letter = letter || is_upper(word[i]) || is_lower(word[i]);
    digit = digit || is_digit(word[i]);
    camel = camel || (i > 0 && is_upper(word[i]) && is_lower(word[i - 1]));
    snake = snake || word[i] == '_';
    scope = scope || word[i] == ':';
    points += word[i] == '.';
  }
  return (letter && (digit || camel || snake || scope)) || (digit && points >= 2);
}

// An ordinal ("3rd") or a decade ("1990s") is no name.
bool is_ordinal(std::string_view word) {
  const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  const std::string rest = ascii_lower(word.substr(digits));
  return digits > 0 && (rest == "st" || rest == "nd" || rest == "rd" || rest == "th" ||
                        rest == "s" || rest == "x");
}

void take_identifiers(std::string& text, std::vector<Fact>& out) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && joins(text, end)) ++end;
    const std::string_view word = std::string_view(text).substr(at, end - at);
    // "$5m", "5km" and "20%" are quantities.
    const bool quantity = quantity_of(word).has_value();
    if (is_identifier(word) && !quantity && !is_ordinal(word)) {
      out.push_back({FactKind::kIdentifier, std::string(word)});
      blank_out(text, at, end);
    }
    at = std::max(end, at + 1);
  }
}

// The parts of a quote between its ellipses, each as words that must follow each other.
std::vector<Tokens> quote_parts(std::string_view quote) {
  std::vector<Tokens> parts;
  std::string rest(quote);
  for (std::size_t at; (at = rest.find("\xE2\x80\xA6")) != rest.npos;) rest.replace(at, 3, "...");
  for (std::size_t begin = 0; begin <= rest.size();) {
    const std::size_t end = std::min(rest.find("...", begin), rest.size());
    Tokens words = word_tokens(std::string_view(rest).substr(begin, end - begin));
    if (!words.empty()) parts.push_back(std::move(words));
    begin = end + 3;
  }
  return parts;
}

bool holds_quote(const Tokens& words, const std::vector<Tokens>& parts) {
  auto from = words.begin();
  for (const Tokens& part : parts) {
    const auto found = std::search(from, words.end(), part.begin(), part.end());
    if (found == words.end()) return false;
    from = found + static_cast<std::ptrdiff_t>(part.size());
  }
  return true;
}

// As a whole word: what is before and behind must not go on with it.
bool holds_identifier(std::string_view lower, std::string_view identifier) {
  const std::string wanted = ascii_lower(identifier);
  const auto word = [&](std::size_t i) {
    return i < lower.size() && (is_lower(lower[i]) || is_digit(lower[i]) || lower[i] == '_');
  };
  for (std::size_t at = lower.find(wanted); at != lower.npos; at = lower.find(wanted, at + 1))
    if (!(at > 0 && word(at - 1)) && !word(at + wanted.size())) return true;
  return false;
}

}  // namespace

const char* fact_kind_name(FactKind kind) {
  constexpr std::array<const char*, 4> names = {"number", "date", "identifier", "quote"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<Fact> facts_of(std::string_view sentence) {
  std::vector<Fact> out;
  std::string text = without_marks(sentence);
  take_quotes(text, out);
  for (const FoundDate& date : dates_in(text)) {
    out.push_back({FactKind::kDate, text.substr(date.begin, date.end - date.begin)});
    blank_out(text, date.begin, date.end);
  }
  take_identifiers(text, out);
  for (const Quantity& number : quantities_in(text))
    out.push_back({FactKind::kNumber, text.substr(number.begin, number.end - number.begin)});
  return out;
}

PassageFacts::PassageFacts(std::string_view text)
    : lower_(ascii_lower(text)),
      numbers_(quantities_in(text)),
      dates_(dates_in(text)),
      words_(word_tokens(text)),
      different_(words_.begin(), words_.end()) {}

bool PassageFacts::holds(const Fact& fact) const {
  switch (fact.kind) {
    case FactKind::kNumber: {
      const auto wanted = quantities_in(fact.text);
      return !wanted.empty() && std::ranges::any_of(numbers_, [&](const Quantity& found) {
        return same_quantity(found, wanted.front(), 0);
      });
    }
    case FactKind::kDate: {
      const auto wanted = dates_in(fact.text);
      return !wanted.empty() && std::ranges::any_of(dates_, [&](const FoundDate& found) {
        return agrees(found.date, wanted.front().date);
      });
    }
    case FactKind::kIdentifier:
      return holds_identifier(lower_, fact.text);
    case FactKind::kQuote:
      return holds_quote(words_, quote_parts(fact.text));
  }
  return false;
}

double lexical_support(std::string_view sentence, std::span<const PassageFacts* const> passages) {
  std::unordered_set<std::string> words;
  for (std::string& word : word_tokens(without_marks(sentence)))
    if (!is_stop_word(word, Language::kEnglish)) words.insert(std::move(word));
  if (words.empty()) return 1;
  const auto held = std::ranges::count_if(words, [&](const std::string& word) {
    return std::ranges::any_of(
        passages, [&](const PassageFacts* passage) { return passage->has_word(word); });
  });
  return static_cast<double>(held) / static_cast<double>(words.size());
}

}  // namespace ragline
