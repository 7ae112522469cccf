#include "vector/quantise.h"

#include <algorithm>
#include <cmath>

namespace ragline {

namespace {

// Makes up for the rounding of a length from double to float and of the sum behind it.
constexpr double kRoundUp = 1 + 1e-6;

// The nearest integer, halves away from zero: on a plain x86-64 nearbyint() is a call.
float rounded(float value) {
  return static_cast<float>(static_cast<int>(value + (value < 0 ? -0.5f : 0.5f)));
}

float largest(std::span<const float> values) {
  float most = 0;
  for (const float value : values) most = std::max(most, std::fabs(value));
  return most;
}

}  // namespace

RowScale quantise(std::span<const float> row, std::span<std::int8_t> codes) {
  std::fill(codes.begin(), codes.end(), std::int8_t{0});
  RowScale out;
  // A largest value among the subnormals has a scale of zero: then all codes are zero and e is the
  // row.
  out.scale = largest(row) / 127;
  double squares = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const float code = out.scale > 0 ? std::clamp(rounded(row[i] / out.scale), -127.f, 127.f) : 0;
    codes[i] = static_cast<std::int8_t>(code);
    const double error = static_cast<double>(row[i]) - static_cast<double>(out.scale) * code;
    squares += error * error;
  }
  out.residual = static_cast<float>(std::sqrt(squares) * kRoundUp);
  return out;
}

void dequantise(std::span<const std::int8_t> codes, float scale, std::span<float> row) {
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = scale * codes[i];
}

QuantisedQuery quantise_query(std::span<const float> query) {
  QuantisedQuery out;
  out.codes.assign(padded_dimensions(query.size()), 0);
  double sum = 0, squares = 0;
  for (const float value : query) {
    sum += std::fabs(value);
    squares += static_cast<double>(value) * value;
  }
  // Rounding adds half a unit a dimension at most; the second bound leaves room for it.
  const double room = 0x7FFFFFFF / 127 - static_cast<double>(query.size());
  const double scale = std::max(static_cast<double>(largest(query)) / 32767, sum / room);
  out.scale = static_cast<float>(scale);
  double errors = 0;
  for (std::size_t i = 0; i < query.size(); ++i) {
    const float code =
        out.scale > 0 ? std::clamp(rounded(query[i] / out.scale), -32767.f, 32767.f) : 0;
    out.codes[i] = static_cast<std::int16_t>(code);
    const double error = static_cast<double>(query[i]) - static_cast<double>(out.scale) * code;
    errors += error * error;
  }
  out.length = static_cast<float>(std::sqrt(squares) * kRoundUp);
  out.residual = static_cast<float>(std::sqrt(errors) * kRoundUp);
  return out;
}

}  // namespace ragline
