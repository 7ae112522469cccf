#include "core/text.h"

#include "catch.h"

using namespace ragline;

TEST_CASE("values are joined") {
  CHECK(cat("line ", 3, ':', std::uint64_t{18446744073709551615u}, " ", -7) == "line 3:18446744073709551615 -7");
  CHECK(cat() == "");
}

TEST_CASE("numbers have one shortest form") {
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(3) == "3");
  CHECK(number_text(-2.5) == "-2.5");
  CHECK(parse_double(number_text(1.0 / 3)).value() == 1.0 / 3);
}

TEST_CASE("numbers are read whole or not at all") {
  CHECK(parse_integer("-12") == -12);
  CHECK(parse_integer("9223372036854775807") == INT64_MAX);
  for (const char* bad : {"", "1x", " 1", "1 ", "9223372036854775808", "0x10", "1.5"}) CHECK_FALSE(parse_integer(bad));
  CHECK(parse_double("1e3") == 1000);
  for (const char* bad : {"", "1,5", "abc", "1 "}) CHECK_FALSE(parse_double(bad));
}

TEST_CASE("sizes and durations have units") {
  CHECK(parse_size("512") == 512);
  CHECK(parse_size("2K") == 2048);
  CHECK(parse_size("1MB") == 1048576);
  CHECK(parse_size("3G") == std::uint64_t{3} << 30);
  for (const char* bad : {"", "K", "1T", "-1", "1.5M", "99999999999G"}) CHECK_FALSE(parse_size(bad));
  CHECK(parse_duration_ms("250ms") == 250);
  CHECK(parse_duration_ms("30s") == 30000);
  CHECK(parse_duration_ms("5m") == 300000);
  for (const char* bad : {"", "5", "5h", "ms", "-1s"}) CHECK_FALSE(parse_duration_ms(bad));
  CHECK(size_text(1234567) == "1.2 MB");
  CHECK(count_text(1234567) == "1,234,567");
  CHECK(count_text(999) == "999");
}

TEST_CASE("text is cut, trimmed and lowered") {
  CHECK(split("a,,b", ',') == std::vector<std::string_view>{"a", "", "b"});
  CHECK(split("", ',') == std::vector<std::string_view>{""});
  CHECK(trim(" \t a b\n") == "a b");
  CHECK(trim("  ").empty());
  CHECK(ascii_lower("ÄBC z") == "Äbc z");
  CHECK(hex(0xAB, 4) == "00ab");
}
