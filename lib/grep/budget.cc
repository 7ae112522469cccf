#include "grep/budget.h"

#include <charconv>

#include "core/text.h"

namespace ragline {

namespace {

constexpr int kSearchDigits = 8;

std::optional<std::uint64_t> number_of(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string cursor_text(const Cursor& cursor) {
  std::string out = cat(hex(cursor.search >> 32, kSearchDigits), ":", cursor.offset, ":");
  for (const char c : cursor.path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F && byte != '%') {
      out += c;
    } else {
      append(out, "%", hex(byte, 2));
    }
  }
  return out;
}

Result<Cursor> parse_cursor(std::string_view text, std::uint64_t search) {
  auto wrong = [&](std::string_view why) { return fail(ErrorKind::kUsage, cat("--cursor '", text, "': ", why)); };
  const auto first = text.find(':'), second = text.find(':', first == text.npos ? first : first + 1);
  if (second == text.npos) return wrong("not a cursor: give the `next` of an `end` record as it is");
  const auto asked = number_of(text.substr(0, first), 16), offset = number_of(text.substr(first + 1, second - first - 1), 10);
  if (!asked || !offset) return wrong("not a cursor: give the `next` of an `end` record as it is");
  if (*asked != search >> 32) return wrong("it is of another search: give the same patterns, flags and paths as before");
  Cursor cursor{search, *offset, {}};
  const std::string_view path = text.substr(second + 1);
  for (std::size_t at = 0; at < path.size(); ++at) {
    const auto byte = path[at] == '%' ? number_of(path.substr(at + 1, 2), 16) : std::nullopt;
    if (path[at] == '%' && !byte) return wrong("not a cursor: a '%' without two hex digits");
    cursor.path += byte ? static_cast<char>(*byte) : path[at];
    if (byte) at += 2;
  }
  return cursor;
}

}  // namespace ragline
