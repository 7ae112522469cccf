#pragma once
#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Small text tools: joining values, numbers, sizes and durations, ASCII case.
namespace ragline {

namespace text_detail {
inline void append_one(std::string& out, std::string_view value) { out += value; }
inline void append_one(std::string& out, char value) { out += value; }
template <class N>
  requires(std::integral<N> && !std::same_as<N, char> && !std::same_as<N, bool>)
void append_one(std::string& out, N value) {
  char buffer[24];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  out.append(buffer, end);
}
}  // namespace text_detail

// Appends every value: strings, chars, integers.
template <class... Values>
void append(std::string& out, const Values&... values) {
  (text_detail::append_one(out, values), ...);
}

// A new string of all values: cat("line ", 3, ": bad").
template <class... Values>
std::string cat(const Values&... values) {
  std::string out;
  append(out, values...);
  return out;
}

// Shortest decimal form that reads back to the same double; whole numbers without a point. NaN and infinities are the
// caller's to avoid (JSON has none).
std::string number_text(double value);

// Base-10 integer over the whole of `text`; nullopt for anything else, overflow included.
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<double> parse_double(std::string_view text);
// Bytes with an optional K, M or G (powers of 1024, a trailing B is allowed): "512M".
std::optional<std::uint64_t> parse_size(std::string_view text);
// "250ms", "30s", "5m" to milliseconds.
std::optional<std::int64_t> parse_duration_ms(std::string_view text);

// 1234567 -> "1.2 MB" for people.
std::string size_text(std::uint64_t bytes);
// 1234567 -> "1,234,567".
std::string count_text(std::uint64_t value);

std::string ascii_lower(std::string_view text);
std::string_view trim(std::string_view text);
// Parts between separators, empty ones kept.
std::vector<std::string_view> split(std::string_view text, char separator);
std::string hex(std::uint64_t value, int digits);

}  // namespace ragline
