#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Numbers with their units in running text.
namespace ragline {

// What a unit measures. Two quantities compare when one of them is kNone or both are the same.
enum class Dimension {
  kNone,
  kPercent,
  kLength,
  kMass,
  kTime,
  kBytes,
  kVolume,
  kArea,
  kSpeed,
  kTemperature,
  kPower,
  kEnergy,
  kDollar,
  kEuro,
  kPound,
  kYuan,
  kYen
};

struct Quantity {
  double value = 0;  // as said, with its scale word: "3.2 million" is 3200000
  double base = 0;   // in the dimension's base unit (metre, kilogram, second, byte, ...)
  Dimension dimension = Dimension::kNone;
  std::size_t begin = 0, end = 0;  // byte range in the text, unit included
};

// All numbers of a text, in order.
//   1,234.5   1 234,5 is two numbers   1.234,5 and 1.234.567 (German)   1'234   -7   .5   2/3 is
//   two scale    thousand, k, million, mio, m (behind a currency), billion, bn, Milliarde,
//   trillion,
//            百 千 万 亿
//   units    %, percent, Prozent; km, m, cm, mm, mile, ft, inch; kg, g, t, lb; s, min, h, day,
//   week,
//            year; B, KB to TB; l, ml; km2, ha; km/h, mph; degrees C and F; W, kW, MW; kWh;
//            currency signs, codes and names
// A point between three-digit groups is read as a decimal point when it stands alone ("1.234"), for
// that is how most of the world's text has it. Numbers inside words ("H2O", "v1") and the parts of
// versions ("1.0.21") are not quantities. Number words ("seven") are not read.
std::vector<Quantity> quantities_in(std::string_view text);

// The quantity that is the whole of the text, but for blanks and a final point.
std::optional<Quantity> quantity_of(std::string_view text);

// Whether two quantities are equal within `tolerance` times the expected one; 0 is to the last
// decimal. Units of one dimension are converted; where one side has no unit the numbers as said are
// compared, as in "How many km?" "12".
bool same_quantity(const Quantity& found, const Quantity& expected, double tolerance);

}  // namespace ragline
