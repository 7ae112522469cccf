#include "eval/number.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace ragline {

namespace {

std::optional<double> read_decimal(std::string_view field) {
  if (field.starts_with('+')) field.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error == std::errc() && end == field.data() + field.size()) return value;
  // 1e-400 and 1e400: C's words for them are 0 and infinity.
  if (error == std::errc::result_out_of_range)
    return std::strtod(std::string(field).c_str(), nullptr);
  return std::nullopt;
}

}  // namespace

std::optional<double> read_score(std::string_view field, Dialect dialect) {
  const auto value = read_decimal(field);
  if (dialect == Dialect::kOurs) return value && std::isfinite(*value) ? value : std::nullopt;
  const double score =
      value && std::isfinite(*value) ? *value : std::atof(std::string(field).c_str());
  return dialect == Dialect::kTrec9 ? static_cast<double>(static_cast<float>(score)) : score;
}

std::optional<double> read_grade(std::string_view field, Dialect dialect) {
  if (dialect == Dialect::kOurs) return read_score(field, dialect);
  return static_cast<double>(std::atol(std::string(field).c_str()));
}

}  // namespace ragline
