#include "embed/embedder.h"

#include <cmath>

#include "core/text.h"

namespace ragline {

bool normalise_row(std::span<float> row) {
  double squares = 0;
  for (const float value : row) squares += static_cast<double>(value) * value;
  if (!std::isfinite(squares)) return false;
  if (squares == 0) return true;
  const double factor = 1 / std::sqrt(squares);
  for (float& value : row) value = static_cast<float>(value * factor);
  return true;
}

bool is_zero(std::span<const float> row) {
  for (const float value : row)
    if (value != 0) return false;
  return true;
}

Status check_fingerprint(std::string_view kept, std::string_view given) {
  if (kept == given) return {};
  return fail(ErrorKind::kUsage,
              cat("the vectors were made by ", kept, " and the model given is ", given,
                  ": use the same model, or embed everything again with the new one"));
}

}  // namespace ragline
