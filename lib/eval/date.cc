#include "eval/date.h"

#include <algorithm>
#include <array>

#include "core/text.h"

namespace ragline {

namespace {

constexpr std::array<std::string_view, 12> kEnglish = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};
constexpr std::array<std::string_view, 12> kGerman = {
    "januar", "februar", "m\xC3\xA4rz", "april",   "mai",      "juni",
    "juli",   "august",  "september",   "oktober", "november", "dezember"};
constexpr std::string_view kYear = "\xE5\xB9\xB4", kMonth = "\xE6\x9C\x88", kDay = "\xE6\x97\xA5",
                           kDayOfMonth = "\xE5\x8F\xB7";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

int days_in(int year, int month) {
  constexpr std::array<int, 12> days = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && !leap ? 28 : days[static_cast<std::size_t>(month - 1)];
}

// Reads one way of writing a date from a place on; the functions advance only when they succeed.
class Reader {
 public:
  Reader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }

  // A number of `least` to `most` digits that no further digit follows.
  bool number(std::size_t least, std::size_t most, int& out) {
    std::size_t end = at_;
    int value = 0;
    while (end < text_.size() && is_digit(text_[end]) && end - at_ <= most)
      value = value * 10 + (text_[end++] - '0');
    if (end - at_ < least || end - at_ > most) return false;
    out = value;
    at_ = end;
    return true;
  }
  bool literal(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    while (literal("\xC2\xA0")) continue;
  }
  // The name of a month, with a point when it is cut short.
  bool month(int& out) {
    std::size_t end = at_;
    while (end < text_.size() &&
           (is_letter(text_[end]) || text_[end] == '\xC3' || text_[end] == '\xA4'))
      ++end;
    const int number = month_number(text_.substr(at_, end - at_));
    if (number == 0) return false;
    out = number;
    at_ = end;
    literal(".");
    return true;
  }
  // 7, 7., 7th, and "of" behind it.
  bool day(int& out) {
    if (!number(1, 2, out)) return false;
    if (!literal(".") && !literal("st") && !literal("nd") && !literal("rd")) literal("th");
    blanks();
    if (literal("of ")) blanks();
    return true;
  }

 private:
  std::string_view text_;
  std::size_t at_;
};

bool numeric(Reader& read, Date& date) {
  if (!read.number(4, 4, date.year)) return false;
  if (read.literal(kYear)) {
    read.blanks();
    int month = 0, day = 0;
    if (!read.number(1, 2, month) || !read.literal(kMonth)) return false;
    date.month = month;
    const Reader behind_month = read;
    read.blanks();
    if (read.number(1, 2, day) && (read.literal(kDay) || read.literal(kDayOfMonth))) {
      date.day = day;
    } else {
      read = behind_month;
    }
    return true;
  }
  for (const std::string_view mark : {"-", "/"}) {
    if (!read.literal(mark)) continue;
    if (!read.number(1, 2, date.month)) return false;
    if (read.literal(mark)) return read.number(1, 2, date.day);
    return mark == "-";  // 2021/2 is a fraction or a path
  }
  return false;
}

bool day_first(Reader& read, Date& date) {
  Reader points = read;
  if (points.number(1, 2, date.day) && points.literal(".") && points.number(1, 2, date.month) &&
      points.literal(".") && points.number(4, 4, date.year)) {
    read = points;
    return true;
  }
  if (!read.day(date.day) || !read.month(date.month)) return false;
  read.literal(",");
  read.blanks();
  return read.number(4, 4, date.year);
}

bool month_first(Reader& read, Date& date) {
  if (!read.month(date.month)) return false;
  read.literal(",");
  read.blanks();
  Reader with_day = read;
  if (with_day.day(date.day)) {
    with_day.literal(",");
    with_day.blanks();
    if (with_day.number(4, 4, date.year)) {
      read = with_day;
      return true;
    }
  }
  date.day = 0;
  return read.number(4, 4, date.year);
}

bool exists(const Date& date) {
  return date.year >= 1 && date.month >= 1 && date.month <= 12 && date.day >= 0 &&
         date.day <= days_in(date.year, date.month);
}

// Digits and letters must not touch a date from outside: "v2021-02-07" is a version.
bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  const auto sticks = [](char c) { return is_digit(c) || is_letter(c) || c == '_'; };
  if (begin > 0 &&
      (sticks(text[begin - 1]) || (begin > 1 && text[begin - 1] == '-' && sticks(text[begin - 2]))))
    return false;
  // An ISO date may go on with a time.
  return end >= text.size() || !sticks(text[end]) ||
         (text[end] == 'T' && end + 1 < text.size() && is_digit(text[end + 1]));
}

}  // namespace

int month_number(std::string_view word) {
  std::string folded = ascii_lower(word);
  if (folded == "sept") return 9;
  if (const auto umlaut = folded.find("\xC3\x84"); umlaut != folded.npos)
    folded[umlaut + 1] = '\xA4';
  if (folded.size() < 3) return 0;
  for (std::size_t month = 0; month < 12; ++month)
    if (kEnglish[month].starts_with(folded) || kGerman[month].starts_with(folded))
      return static_cast<int>(month + 1);
  return 0;
}

std::vector<FoundDate> dates_in(std::string_view text) {
  std::vector<FoundDate> out;
  for (std::size_t at = 0; at < text.size();) {
    const bool starts = is_digit(text[at]) || is_letter(text[at]);
    const bool inside = at > 0 && (is_digit(text[at - 1]) || is_letter(text[at - 1]));
    bool found = false;
    if (starts && !inside) {
      for (const auto form : {numeric, day_first, month_first}) {
        Reader read(text, at);
        Date date;
        if (!form(read, date) || !exists(date) || !stands_alone(text, at, read.at())) continue;
        out.push_back({date, at, read.at()});
        at = read.at();
        found = true;
        break;
      }
    }
    if (!found) ++at;
  }
  return out;
}

std::optional<Date> date_of(std::string_view text) {
  const std::vector<FoundDate> found = dates_in(text);
  if (found.size() != 1) return std::nullopt;
  const auto rest = cat(text.substr(0, found[0].begin), text.substr(found[0].end));
  if (rest.find_first_not_of(" .,;:()\"'\n") != rest.npos) return std::nullopt;
  return found[0].date;
}

bool agrees(const Date& found, const Date& expected) {
  return found.year == expected.year && found.month == expected.month &&
         (expected.day == 0 || found.day == expected.day);
}

}  // namespace ragline
