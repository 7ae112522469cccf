#include "eval/date.h"

#include <string>

#include "catch.h"

using namespace ragline;

namespace {

Date only_date(std::string_view text) {
  const auto found = dates_in(text);
  INFO(text);
  REQUIRE(found.size() == 1);
  return found[0].date;
}

}  // namespace

TEST_CASE("one day in many forms") {
  for (const char* text : {"2021-02-07", "on 2021/2/7,", "February 7, 2021", "Feb. 7 2021",
                           "Feb 7, 2021", "7 February 2021", "the 7th of February, 2021",
                           "7. Februar 2021", "am 07.02.2021.", "FEBRUARY 7th 2021", "2021年2月7日",
                           "2021年2月7号", "2021年 2月 7日", "2021-02-07T10:00:00Z",
                           "7\xC2\xA0"
                           "Feb.\xC2\xA0"
                           "2021"})
    CHECK(only_date(text) == Date{2021, 2, 7});
  CHECK(only_date("1. März 2020") == Date{2020, 3, 1});
  CHECK(only_date("12 Sept. 1999") == Date{1999, 9, 12});
  CHECK(only_date("29 February 2020") == Date{2020, 2, 29});
}

TEST_CASE("a month alone") {
  CHECK(only_date("in June 2020") == Date{2020, 6, 0});
  CHECK(only_date("2020年6月的") == Date{2020, 6, 0});
  CHECK(only_date("2020-06") == Date{2020, 6, 0});
  CHECK(only_date("Dez. 2015") == Date{2015, 12, 0});
}

TEST_CASE("a day that does not exist leaves the month") {
  CHECK(only_date("30 February 2021") == Date{2021, 2, 0});
  CHECK(only_date("29 February 2021") == Date{2021, 2, 0});
}

TEST_CASE("what is no date") {
  for (const char* text :
       {"2021", "7 February", "7/2/2021", "2021-13-01",
        "v2021-02-07x", "1.0.21", "March on Rome", "may 5 people come in 2020s?", "12.34.5678",
        "2021-02-30", "call 555-2021-02", "0000-01-01"}) {
    INFO(text);
    CHECK(dates_in(text).empty());
  }
}

TEST_CASE("several dates with their places") {
  const std::string text = "From 2020-01-05 to May 6, 2021 and 2022年3月.";
  const auto found = dates_in(text);
  REQUIRE(found.size() == 3);
  CHECK(text.substr(found[0].begin, found[0].end - found[0].begin) == "2020-01-05");
  CHECK(text.substr(found[1].begin, found[1].end - found[1].begin) == "May 6, 2021");
  CHECK(text.substr(found[2].begin, found[2].end - found[2].begin) == "2022年3月");
}

TEST_CASE("the whole text is a date, or it is not") {
  CHECK(date_of(" (July 21 2017). ") == Date{2017, 7, 21});
  CHECK_FALSE(date_of("on July 21 2017"));
  CHECK_FALSE(date_of("July 2017 or June 2017"));
  CHECK_FALSE(date_of(""));
}

TEST_CASE("a date agrees with what it says more precisely") {
  CHECK(agrees({2020, 6, 9}, {2020, 6, 0}));
  CHECK(agrees({2020, 6, 9}, {2020, 6, 9}));
  CHECK_FALSE(agrees({2020, 6, 0}, {2020, 6, 9}));
  CHECK_FALSE(agrees({2020, 6, 9}, {2020, 6, 8}));
  CHECK_FALSE(agrees({2019, 6, 9}, {2020, 6, 9}));
}

TEST_CASE("month names need three letters") {
  CHECK(month_number("Mai") == 5);
  CHECK(month_number("MÄRZ") == 3);
  CHECK(month_number("Oktober") == 10);
  CHECK(month_number("ju") == 0);
  CHECK(month_number("") == 0);
  CHECK(month_number("Sunday") == 0);
}
