#pragma once
#include <optional>
#include <string_view>
#include <vector>

// Calendar dates in running text.
namespace ragline {

struct Date {
  int year = 0, month = 0, day = 0;  // day 0: only the month is said
  bool operator==(const Date&) const = default;
};

struct FoundDate {
  Date date;
  std::size_t begin = 0, end = 0;  // byte range in the text
};

// All dates of a text, in order, that do not overlap:
//   2021-02-07  2021/2/7  2021-02   ISO and like it
//   February 7, 2021  7 February 2021  Feb. 7 2021  7th of February, 2021  February 2021
//   7. Februar 2021   07.02.2021 (day first)   Februar 2021
//   2021年2月7日  2021年2月
// English and German month names, whole or cut to three letters or more. A date needs its year: "7
// February" could be any. 7/2/2021 is not taken, because who writes it decides what it means.
std::vector<FoundDate> dates_in(std::string_view text);

// The date that is the whole of the text, but for blanks and punctuation around it.
std::optional<Date> date_of(std::string_view text);

// Whether the found date says what the expected one says: all of it, and possibly the day besides.
bool agrees(const Date& found, const Date& expected);

// 1 to 12 for the name of a month, English or German, in any case; 0 otherwise.
int month_number(std::string_view word);

}  // namespace ragline
