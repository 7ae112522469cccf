#include "record/time.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/text.h"

namespace ragline {

namespace {

constexpr TimePoint kSecond = 1'000'000, kMinute = 60 * kSecond, kDay = 24 * 60 * kMinute;
// 0000-01-01 and the last moment of 9999-12-31: RFC 3339 has four digits for the year.
constexpr TimePoint kFirstTime = -719528 * kDay, kLastTime = 2932897 * kDay - 1;

// Takes the text apart from the left; every step fails on anything that is not there.
struct TimeText {
  std::string_view rest;

  bool take(std::string_view any_of) {
    if (rest.empty() || any_of.find(rest[0]) == any_of.npos) return false;
    rest.remove_prefix(1);
    return true;
  }
  std::optional<int> digits(std::size_t count) {
    if (rest.size() < count) return std::nullopt;
    int value = 0;
    for (char c : rest.substr(0, count)) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    rest.remove_prefix(count);
    return value;
  }
  // Microseconds of ".123"; digits beyond the sixth are cut off.
  std::optional<TimePoint> fraction() {
    if (!take(".")) return 0;
    TimePoint value = 0, unit = kSecond;
    std::size_t count = 0;
    for (; count < rest.size() && rest[count] >= '0' && rest[count] <= '9'; ++count) {
      unit /= 10;
      value += (rest[count] - '0') * unit;
    }
    rest.remove_prefix(count);
    return count ? std::optional(value) : std::nullopt;
  }
};

std::optional<TimePoint> read_date(TimeText& text) {
  const auto year = text.digits(4);
  if (!year || !text.take("-")) return std::nullopt;
  const auto month = text.digits(2);
  if (!month || !text.take("-")) return std::nullopt;
  const auto day = text.digits(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count() * kDay;
}

std::optional<TimePoint> read_clock(TimeText& text) {
  const auto hour = text.digits(2);
  if (!hour || *hour > 23 || !text.take(":")) return std::nullopt;
  const auto minute = text.digits(2);
  if (!minute || *minute > 59 || !text.take(":")) return std::nullopt;
  const auto second = text.digits(2);
  // 60 is a leap second: the same moment as the next minute's 0.
  if (!second || *second > 60) return std::nullopt;
  const auto fraction = text.fraction();
  if (!fraction) return std::nullopt;
  return (*hour * 60 + *minute) * kMinute + *second * kSecond + *fraction;
}

std::optional<TimePoint> read_offset(TimeText& text) {
  if (text.take("Zz")) return 0;
  const bool west = text.rest.starts_with('-');
  if (!text.take("+-")) return std::nullopt;
  const auto hours = text.digits(2);
  if (!hours || *hours > 23 || !text.take(":")) return std::nullopt;
  const auto minutes = text.digits(2);
  if (!minutes || *minutes > 59) return std::nullopt;
  const TimePoint offset = (*hours * 60 + *minutes) * kMinute;
  return west ? -offset : offset;
}

std::optional<TimePoint> read_time(std::string_view whole) {
  TimeText text{whole};
  const auto date = read_date(text);
  if (!date || text.rest.empty()) return date;
  if (!text.take("Tt ")) return std::nullopt;
  const auto clock = read_clock(text);
  if (!clock) return std::nullopt;
  const auto offset = read_offset(text);
  if (!offset || !text.rest.empty()) return std::nullopt;
  const TimePoint time = *date + *clock - *offset;
  return time >= kFirstTime && time <= kLastTime ? std::optional(time) : std::nullopt;
}

}  // namespace

Result<TimePoint> parse_time(std::string_view text) {
  if (const auto time = read_time(text)) return *time;
  return fail(ErrorKind::kData,
              cat("'", text, "' is not a time: give RFC 3339 with its offset, like ",
                  "2026-03-01T12:00:00Z, or a date like 2026-03-01"));
}

std::string format_time(TimePoint time) {
  if (time < kFirstTime || time > kLastTime) return {};
  const std::chrono::sys_time<std::chrono::microseconds> moment{std::chrono::microseconds(time)};
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date(day);
  const TimePoint clock = (moment - day).count();
  auto padded = [](std::int64_t value, std::size_t width) {
    std::string digits = std::to_string(value);
    return std::string(width - std::min(width, digits.size()), '0') + digits;
  };
  std::string out = cat(padded(int{date.year()}, 4), '-', padded(unsigned{date.month()}, 2), '-',
                        padded(unsigned{date.day()}, 2), 'T', padded(clock / kMinute / 60, 2), ':',
                        padded(clock / kMinute % 60, 2), ':', padded(clock / kSecond % 60, 2));
  if (TimePoint fraction = clock % kSecond) {
    std::size_t width = 6;
    for (; fraction % 10 == 0; fraction /= 10) --width;
    append(out, '.', padded(fraction, width));
  }
  return out + 'Z';
}

TimePoint now() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace ragline
