#include "eval/quantity.h"

#include <cmath>
#include <string>

#include "catch.h"
#include "core/text.h"

using namespace ragline;

namespace {

std::vector<double> values(std::string_view text) {
  std::vector<double> out;
  for (const Quantity& quantity : quantities_in(text)) out.push_back(quantity.value);
  return out;
}

bool same(std::string_view found, std::string_view expected, double tolerance = 0) {
  const auto quantity = quantity_of(expected);
  INFO(expected);
  REQUIRE(quantity);
  const auto all = quantities_in(found);
  return !all.empty() && same_quantity(all[0], *quantity, tolerance);
}

using Values = std::vector<double>;

}  // namespace

TEST_CASE("numbers as people write them") {
  CHECK(values("1,234.5 and 1.234,5 and 1,234,567") == Values{1234.5, 1234.5, 1234567});
  CHECK(values("1.234.567 1'234 1.234 3,14 0,5 .5") ==
        Values{1234567, 1234, 1.234, 3.14, 0.5, 0.5});
  CHECK(values("-7 and 5-7 and (-2) and \xE2\x88\x92"
               "3") == Values{-7, 5, 7, -2, -3});
  CHECK(values("rose 12, then 15.") == Values{12, 15});
  CHECK(values("12%").size() == 1);
}

TEST_CASE("what holds digits and is no number") {
  for (const char* text :
       {"H2O", "v1", "1.0.21", "3rd", "2x", "0x1f", "covid19", "1,23,4", "abc"}) {
    INFO(text);
    CHECK(quantities_in(text).empty());
  }
}

TEST_CASE("scale words multiply") {
  CHECK(values("3.2 million people") == Values{3200000});
  CHECK(values("5 Mio. Euro, 2 Milliarden") == Values{5000000, 2000000000});
  CHECK(values("1361万人，1.5亿，3万亿") == Values{13610000, 150000000, 3e12});
  CHECK(values("$5m and $1.5bn and 20k") == Values{5e6, 1.5e9, 20000});
  CHECK(values("7 kings") == Values{7});
}

TEST_CASE("units of one dimension compare") {
  CHECK(same("It is 1.5 km long", "1500 m"));
  CHECK(same("1500 metres", "1.5 kilometers"));
  CHECK(same("2 GB", "2000 MB"));
  CHECK(same("90 minutes", "1.5 hours"));
  CHECK(same("98.6 °F", "37 °C"));
  CHECK(same("-4 °F", "-20 °C"));
  CHECK_FALSE(same("4 °F", "-20 °C"));
  CHECK(same("36 km/h", "10 m/s"));
  CHECK(same("US$3 million", "3,000,000 dollars"));
  CHECK(same("€20", "20 euros"));
  CHECK(same("12 percent", "12%"));
  CHECK(same("20公里", "20 km"));
  CHECK_FALSE(same("5 kg", "5 km"));
  CHECK_FALSE(same("5 km", "5 m"));
  CHECK_FALSE(same("$20", "€20"));
}

TEST_CASE("a missing unit asks for the number alone") {
  CHECK(same("12", "12 km"));
  CHECK(same("70 seats", "70"));
  CHECK_FALSE(same("12000", "12 km"));
}

TEST_CASE("tolerance is a share of the expected value") {
  CHECK_FALSE(same("3.1", "3.14"));
  CHECK(same("3.1", "3.14", 0.02));
  CHECK_FALSE(same("3.0", "3.14", 0.02));
  CHECK(same("-3.1", "-3.14", 0.02));
  CHECK(same("0", "0"));
  CHECK_FALSE(same("0.001", "0", 0.5));
}

TEST_CASE("the whole text is a quantity, or it is not") {
  CHECK(quantity_of("170")->value == 170);
  CHECK(quantity_of(" $1,000. ")->value == 1000);
  CHECK(quantity_of("-5")->value == -5);
  CHECK_FALSE(quantity_of("about 5"));
  CHECK_FALSE(quantity_of("5 or 6"));
  CHECK_FALSE(quantity_of(""));
}

TEST_CASE("the byte range holds the sign, the scale and the unit") {
  const std::string text = "paid US$ 3.2 million in 5 days";
  const auto found = quantities_in(text);
  REQUIRE(found.size() == 2);
  CHECK(text.substr(found[0].begin, found[0].end - found[0].begin) == "US$ 3.2 million");
  CHECK(text.substr(found[1].begin, found[1].end - found[1].begin) == "5 days");
}
