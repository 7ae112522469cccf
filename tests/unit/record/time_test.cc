#include "record/time.h"

#include <random>

#include "catch.h"
#include "core/text.h"

using namespace ragline;

namespace {
// parse and format again, or "refused".
std::string normal(std::string_view text) {
  const auto time = parse_time(text);
  return time ? format_time(*time) : "refused";
}
}  // namespace

TEST_CASE("RFC 3339 times become UTC") {
  CHECK(*parse_time("1970-01-01T00:00:00Z") == 0);
  CHECK(*parse_time("1970-01-01T00:00:01.5Z") == 1'500'000);
  CHECK(*parse_time("1969-12-31T23:59:59.999999Z") == -1);
  CHECK(normal("2026-03-01T12:00:00Z") == "2026-03-01T12:00:00Z");
  CHECK(normal("2026-03-01t12:00:00z") == "2026-03-01T12:00:00Z");
  CHECK(normal("2026-03-01 12:00:00Z") == "2026-03-01T12:00:00Z");
  CHECK(normal("2026-03-01T12:00:00+02:00") == "2026-03-01T10:00:00Z");
  CHECK(normal("2026-03-01T00:30:00+01:00") == "2026-02-28T23:30:00Z");
  CHECK(normal("2026-03-01T12:00:00-05:30") == "2026-03-01T17:30:00Z");
  CHECK(normal("2026-03-01T12:00:00-00:00") == "2026-03-01T12:00:00Z");
  CHECK(normal("2026-03-01T12:00:00.120Z") == "2026-03-01T12:00:00.12Z");
  CHECK(normal("2026-03-01T12:00:00.1234567891Z") == "2026-03-01T12:00:00.123456Z");
  CHECK(normal("2016-12-31T23:59:60Z") == "2017-01-01T00:00:00Z");
}

TEST_CASE("a date alone is its first moment in UTC") {
  CHECK(normal("2026-03-01") == "2026-03-01T00:00:00Z");
  CHECK(normal("2024-02-29") == "2024-02-29T00:00:00Z");
  CHECK(normal("2000-02-29") == "2000-02-29T00:00:00Z");
  CHECK(normal("0000-01-01") == "0000-01-01T00:00:00Z");
  CHECK(normal("9999-12-31T23:59:59.999999Z") == "9999-12-31T23:59:59.999999Z");
}

TEST_CASE("what is not a time is refused with the right form") {
  for (const char* text : {"",
                           "2026",
                           "2026-3-1",
                           "2026-02-29",
                           "1900-02-29",
                           "2026-04-31",
                           "2026-13-01",
                           "2026-00-01",
                           "2026-01-00",
                           "2026-03-01T",
                           "2026-03-01T12:00Z",
                           "2026-03-01T12:00:00",
                           "2026-03-01T24:00:00Z",
                           "2026-03-01T12:60:00Z",
                           "2026-03-01T12:00:61Z",
                           "2026-03-01T12:00:00.Z",
                           "2026-03-01T12:00:00+0200",
                           "2026-03-01T12:00:00+24:00",
                           "2026-03-01T12:00:00+01:60",
                           "2026-03-01T12:00:00Zx",
                           "2026-03-01x",
                           " 2026-03-01",
                           "20260301",
                           "yesterday",
                           "+026-03-01",
                           "2026-03-01T12:00:00Z ",
                           "0000-01-01T00:00:00+01:00",
                           "9999-12-31T23:59:59-01:00"}) {
    INFO(text);
    const auto time = parse_time(text);
    REQUIRE(!time);
    CHECK(time.error().kind == ErrorKind::kData);
    CHECK(time.error().message.starts_with(
        cat("'", std::string_view(text), "' is not a time: give RFC 3339")));
  }
}

TEST_CASE("times read back equal; the unbounded ones have no text") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const auto time =
        static_cast<TimePoint>(random() % 253'402'300'800'000'000u);  // up to the year 9999
    INFO(time);
    REQUIRE(*parse_time(format_time(time)) == time);
  }
  CHECK(format_time(kMinTime).empty());
  CHECK(format_time(kMaxTime).empty());
  CHECK(now() > *parse_time("2024-01-01"));
}
