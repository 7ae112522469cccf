#include "eval/quantity.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/characters.h"
#include "core/text.h"
#include "core/utf8.h"

namespace ragline {

namespace {

struct Unit {
  std::string_view name;  // in lower case; longest match wins
  Dimension dimension;
  double factor;  // value * factor + offset is in the base unit
  double offset = 0;
};

// clang-format off
constexpr Unit kUnits[] = {
    {"%", Dimension::kPercent, 1},           {"percent", Dimension::kPercent, 1},       {"per cent", Dimension::kPercent, 1},
    {"prozent", Dimension::kPercent, 1},     {"％", Dimension::kPercent, 1},
    {"km", Dimension::kLength, 1000},        {"kilometer", Dimension::kLength, 1000},   {"kilometre", Dimension::kLength, 1000},
    {"公里", Dimension::kLength, 1000},      {"千米", Dimension::kLength, 1000},        {"m", Dimension::kLength, 1},
    {"meter", Dimension::kLength, 1},        {"metre", Dimension::kLength, 1},          {"米", Dimension::kLength, 1},
    {"cm", Dimension::kLength, 0.01},        {"厘米", Dimension::kLength, 0.01},        {"mm", Dimension::kLength, 0.001},
    {"mile", Dimension::kLength, 1609.344},  {"meile", Dimension::kLength, 1609.344},   {"ft", Dimension::kLength, 0.3048},
    {"foot", Dimension::kLength, 0.3048},    {"feet", Dimension::kLength, 0.3048},      {"inch", Dimension::kLength, 0.0254},
    {"kg", Dimension::kMass, 1},             {"kilogram", Dimension::kMass, 1},         {"公斤", Dimension::kMass, 1},
    {"千克", Dimension::kMass, 1},           {"g", Dimension::kMass, 0.001},            {"gram", Dimension::kMass, 0.001},
    {"t", Dimension::kMass, 1000},           {"ton", Dimension::kMass, 1000},           {"tonne", Dimension::kMass, 1000},
    {"吨", Dimension::kMass, 1000},          {"lb", Dimension::kMass, 0.45359237},      {"lbs", Dimension::kMass, 0.45359237},
    {"ms", Dimension::kTime, 0.001},         {"millisecond", Dimension::kTime, 0.001},  {"s", Dimension::kTime, 1},
    {"sec", Dimension::kTime, 1},            {"second", Dimension::kTime, 1},           {"sekunde", Dimension::kTime, 1},
    {"秒", Dimension::kTime, 1},             {"min", Dimension::kTime, 60},             {"minute", Dimension::kTime, 60},
    {"分钟", Dimension::kTime, 60},          {"h", Dimension::kTime, 3600},             {"hour", Dimension::kTime, 3600},
    {"stunde", Dimension::kTime, 3600},      {"小时", Dimension::kTime, 3600},          {"day", Dimension::kTime, 86400},
    {"tag", Dimension::kTime, 86400},        {"天", Dimension::kTime, 86400},           {"week", Dimension::kTime, 604800},
    {"woche", Dimension::kTime, 604800},     {"周", Dimension::kTime, 604800},          {"year", Dimension::kTime, 31557600},
    {"jahr", Dimension::kTime, 31557600},
    {"byte", Dimension::kBytes, 1},          {"kb", Dimension::kBytes, 1e3},            {"mb", Dimension::kBytes, 1e6},
    {"gb", Dimension::kBytes, 1e9},          {"tb", Dimension::kBytes, 1e12},           {"kib", Dimension::kBytes, 1024},
    {"mib", Dimension::kBytes, 1048576},     {"gib", Dimension::kBytes, 1073741824},
    {"l", Dimension::kVolume, 1},            {"liter", Dimension::kVolume, 1},          {"litre", Dimension::kVolume, 1},
    {"升", Dimension::kVolume, 1},           {"ml", Dimension::kVolume, 0.001},
    {"km2", Dimension::kArea, 1e6},          {"km²", Dimension::kArea, 1e6},            {"平方公里", Dimension::kArea, 1e6},
    {"m2", Dimension::kArea, 1},             {"m²", Dimension::kArea, 1},               {"平方米", Dimension::kArea, 1},
    {"ha", Dimension::kArea, 1e4},           {"hectare", Dimension::kArea, 1e4},
    {"km/h", Dimension::kSpeed, 1 / 3.6},    {"kmh", Dimension::kSpeed, 1 / 3.6},       {"m/s", Dimension::kSpeed, 1},
    {"mph", Dimension::kSpeed, 0.44704},
    {"°c", Dimension::kTemperature, 1},      {"degrees celsius", Dimension::kTemperature, 1},
    {"°f", Dimension::kTemperature, 5.0 / 9, -160.0 / 9},
    {"degrees fahrenheit", Dimension::kTemperature, 5.0 / 9, -160.0 / 9},
    {"w", Dimension::kPower, 1},             {"watt", Dimension::kPower, 1},            {"kw", Dimension::kPower, 1e3},
    {"mw", Dimension::kPower, 1e6},          {"gw", Dimension::kPower, 1e9},            {"kwh", Dimension::kEnergy, 1},
    {"mwh", Dimension::kEnergy, 1e3},
    {"$", Dimension::kDollar, 1},            {"usd", Dimension::kDollar, 1},            {"us$", Dimension::kDollar, 1},
    {"dollar", Dimension::kDollar, 1},       {"美元", Dimension::kDollar, 1},
    {"€", Dimension::kEuro, 1},              {"eur", Dimension::kEuro, 1},              {"euro", Dimension::kEuro, 1},
    {"欧元", Dimension::kEuro, 1},           {"£", Dimension::kPound, 1},               {"gbp", Dimension::kPound, 1},
    {"rmb", Dimension::kYuan, 1},            {"cny", Dimension::kYuan, 1},              {"yuan", Dimension::kYuan, 1},
    {"元", Dimension::kYuan, 1},             {"人民币", Dimension::kYuan, 1},           {"jpy", Dimension::kYen, 1},
    {"yen", Dimension::kYen, 1},             {"日元", Dimension::kYen, 1},              {"¥", Dimension::kYuan, 1},
};
constexpr Unit kScales[] = {
    {"hundred", Dimension::kNone, 1e2},   {"thousand", Dimension::kNone, 1e3},   {"tausend", Dimension::kNone, 1e3},
    {"k", Dimension::kNone, 1e3},         {"million", Dimension::kNone, 1e6},    {"millionen", Dimension::kNone, 1e6},
    {"mio.", Dimension::kNone, 1e6},      {"mio", Dimension::kNone, 1e6},        {"mn", Dimension::kNone, 1e6},
    {"billion", Dimension::kNone, 1e9},   {"bn", Dimension::kNone, 1e9},         {"milliarde", Dimension::kNone, 1e9},
    {"milliarden", Dimension::kNone, 1e9},{"mrd.", Dimension::kNone, 1e9},       {"mrd", Dimension::kNone, 1e9},
    {"trillion", Dimension::kNone, 1e12}, {"百", Dimension::kNone, 1e2},         {"千", Dimension::kNone, 1e3},
    {"万", Dimension::kNone, 1e4},        {"百万", Dimension::kNone, 1e6},       {"千万", Dimension::kNone, 1e7},
    {"亿", Dimension::kNone, 1e8},        {"万亿", Dimension::kNone, 1e12},
};
// clang-format on

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_latin(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

// Whether a Latin word goes on at `at`. A CJK unit ends where it ends.
bool word_goes_on(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  std::size_t next = at;
  const char32_t c = decode(text, next);
  return !is_cjk(c) && is_alphanumeric(c);
}

// The longest name of the table at text[at]; a plural s, e or n may follow a Latin name of three
// letters or more.
const Unit* name_at(std::span<const Unit> table, std::string_view text, std::size_t at,
                    std::size_t& end) {
  const Unit* best = nullptr;
  for (const Unit& unit : table) {
    const std::string_view there = text.substr(at, unit.name.size());
    if (ascii_lower(there) != unit.name) continue;
    std::size_t behind = at + unit.name.size();
    const bool latin = is_latin(unit.name.front());
    if (latin && unit.name.size() >= 3)
      while (behind < text.size() && behind < at + unit.name.size() + 2 &&
             std::string_view("sen").contains(text[behind]))
        ++behind;
    const bool closed = !latin || !word_goes_on(text, behind);
    if (closed && (!best || unit.name.size() > best->name.size())) {
      best = &unit;
      end = behind;
    }
  }
  return best;
}

std::size_t behind_blank(std::string_view text, std::size_t at) {
  if (at < text.size() && (text[at] == ' ' || text[at] == '-')) return at + 1;
  if (text.substr(at).starts_with("\xC2\xA0")) return at + 2;
  return at;
}

// Digits with their separators from `begin`; false for what is no number ("1.0.21").
bool read_digits(std::string_view text, std::size_t begin, double& value, std::size_t& end) {
  end = begin;
  while (end < text.size() &&
         (is_digit(text[end]) || (std::string_view(".,'").contains(text[end]) &&
                                  end + 1 < text.size() && is_digit(text[end + 1]))))
    ++end;
  const std::string_view whole = text.substr(begin, end - begin);
  const std::size_t points = static_cast<std::size_t>(std::ranges::count(whole, '.'));
  const std::size_t commas = static_cast<std::size_t>(std::ranges::count(whole, ','));
  const std::size_t last = whole.find_last_of(".,");
  char decimal = 0;  // the separator in front of the fraction
  if (points && commas) {
    decimal = whole[last];
  } else if (points == 1) {
    decimal = '.';
  } else if (commas == 1 && whole.size() - last - 1 != 3) {
    decimal = ',';
  }
  std::string plain;
  std::size_t group = 0;  // digits since the last separator
  bool grouped = false;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const char c = whole[i];
    if (is_digit(c)) {
      plain += c;
      ++group;
    } else if (c == decimal && i == last) {
      if (grouped && group != 3) return false;
      plain += '.';
      group = 0;
      grouped = false;
    } else {
      if (group > 3 || group == 0 || (grouped && group != 3)) return false;
      grouped = true;
      group = 0;
    }
  }
  if (grouped && group != 3) return false;
  if (plain.starts_with('.')) plain.insert(0, 1, '0');
  const auto number = parse_double(plain);
  value = number.value_or(0);
  return number.has_value();
}

// The longest currency sign or code that ends at `begin`, a blank between allowed.
const Unit* currency_before(std::string_view text, std::size_t begin, std::size_t& start) {
  std::size_t end = begin;
  if (end > 0 && text[end - 1] == ' ') --end;
  const Unit* best = nullptr;
  for (const Unit& unit : kUnits) {
    if (unit.dimension < Dimension::kDollar || end < unit.name.size()) continue;
    const std::size_t at = end - unit.name.size();
    if (ascii_lower(text.substr(at, unit.name.size())) != unit.name) continue;
    if (is_latin(unit.name.front()) && at > 0 && is_latin(text[at - 1])) continue;
    if (best && best->name.size() > unit.name.size()) continue;
    best = &unit;
    start = at;
  }
  return best;
}

void set_unit(Quantity& quantity, const Unit& unit) {
  quantity.dimension = unit.dimension;
  quantity.base = quantity.value * unit.factor + unit.offset;
}

Quantity with_unit(std::string_view text, double number, std::size_t begin, std::size_t end) {
  Quantity out{number, number, Dimension::kNone, begin, end};
  std::size_t behind = 0, start = 0;
  const Unit* const currency = currency_before(text, begin, start);
  if (const Unit* scale = name_at(kScales, text, behind_blank(text, end), behind)) {
    out.value *= scale->factor;
    out.end = behind;
  } else if (currency && ascii_lower(text.substr(end, 1)) == "m" && !word_goes_on(text, end + 1)) {
    out.value *= 1e6;  // $5m
    out.end = end + 1;
  }
  out.base = out.value;
  if (currency) {
    out.begin = start;
    set_unit(out, *currency);
  } else if (const Unit* unit = name_at(kUnits, text, behind_blank(text, out.end), behind)) {
    out.end = behind;
    set_unit(out, *unit);
  }
  return out;
}

// A minus that is no hyphen, range or subtraction: nothing or a blank before it.
bool is_negative(std::string_view text, std::size_t begin) {
  if (begin > 0 && text[begin - 1] == '-')
    return begin == 1 || text[begin - 2] == ' ' || text[begin - 2] == '(' ||
           text[begin - 2] == '\n';
  return begin >= 3 && text.substr(begin - 3, 3) == "\xE2\x88\x92";
}

}  // namespace

std::vector<Quantity> quantities_in(std::string_view text) {
  std::vector<Quantity> out;
  for (std::size_t at = 0; at < text.size();) {
    const bool fraction = text[at] == '.' && at + 1 < text.size() && is_digit(text[at + 1]);
    if (!is_digit(text[at]) && !fraction) {
      std::size_t start = 0;
      const bool word = word_goes_on(text, at);
      decode(text, at);
      // "H2O" and "v1" are skipped with their digits, "USD5" is not.
      if (word && at < text.size() && is_digit(text[at]) && !currency_before(text, at, start))
        while (word_goes_on(text, at)) decode(text, at);
      continue;
    }
    double value = 0;
    std::size_t end = 0;
    const std::size_t begin = at;
    const bool number = read_digits(text, begin, value, end);
    at = end;
    if (!number) continue;
    if (is_negative(text, begin)) value = -value;
    const Quantity quantity = with_unit(text, value, begin, end);
    if (quantity.end == end && word_goes_on(text, end)) {  // 3rd, 2x, 0x1f
      while (word_goes_on(text, at)) decode(text, at);
      continue;
    }
    at = quantity.end;
    out.push_back(quantity);
  }
  return out;
}

std::optional<Quantity> quantity_of(std::string_view text) {
  const std::vector<Quantity> found = quantities_in(text);
  if (found.size() != 1) return std::nullopt;
  std::string rest = cat(text.substr(0, found[0].begin), text.substr(found[0].end));
  if (rest.find_first_not_of(" .\n-") != rest.npos && trim(rest) != "\xE2\x88\x92")
    return std::nullopt;
  return found[0];
}

bool same_quantity(const Quantity& found, const Quantity& expected, double tolerance) {
  const bool by_unit =
      found.dimension != Dimension::kNone && expected.dimension != Dimension::kNone;
  if (by_unit && found.dimension != expected.dimension) return false;
  const double a = by_unit ? found.base : found.value, b = by_unit ? expected.base : expected.value;
  return std::fabs(a - b) <= std::max(tolerance, 1e-9) * std::fabs(b);
}

}  // namespace ragline
