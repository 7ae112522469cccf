#include "eval/z_scores.h"

#include "core/text.h"
#include "eval/fields.h"
#include "eval/input.h"
#include "eval/number.h"

namespace ragline {

Result<ZScores> ZScores::read(const std::string& path) {
  RAGLINE_TRY(const InputText text, InputText::open(path));
  ZScores scores;
  LineWalker lines(text.bytes());
  std::string_view line;
  while (lines.next(line)) {
    FieldWalker walk(line);
    const std::string_view query = walk.next(), measure = walk.next(), mean = walk.next(),
                           deviation = walk.next();
    if (deviation.empty() || !walk.next().empty())
      return std::unexpected(text.error_at(
          line.data(), "not four fields: a line has query, measure, mean and deviation"));
    scores.references_[{std::string(query), std::string(measure)}] = {
        read_score(mean, Dialect::kTrec10).value_or(0),
        read_score(deviation, Dialect::kTrec10).value_or(0)};
  }
  return scores;
}

double ZScores::convert(std::string_view query, std::string_view measure, double value) const {
  const auto found = references_.find(std::pair(std::string(query), std::string(measure)));
  if (found == references_.end()) return kMissing;
  const auto& [mean, deviation] = found->second;
  if (deviation != 0) return (value - mean) / deviation;
  return value == mean ? 0 : kMissing;
}

}  // namespace ragline
