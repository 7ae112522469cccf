#include "rag-eval/trec.h"

#include <charconv>

#include "core/text.h"

namespace ragline {

namespace {

void append_line(std::string& out, std::string_view name, std::string_view query,
                 std::string_view value) {
  out += name;
  if (name.size() < 22) out.append(22 - name.size(), ' ');
  append(out, '\t', query, '\t', value, '\n');
}

// %6.4f, with as many digits as are asked for.
std::string real_text(double value, int digits) {
  std::string text = fixed_text(value, digits);
  if (text.size() < 6) text.insert(0, 6 - text.size(), ' ');
  return text;
}

bool is_count(const MeasureInfo& info) {
  return info.print == Print::kCount || info.name == "num_q";
}

std::string value_text(const MeasureInfo& info, double value, int digits) {
  return is_count(info) ? cat(static_cast<std::int64_t>(value)) : real_text(value, digits);
}

}  // namespace

std::string fixed_text(double value, int digits) {
  char buffer[400];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, digits);
  return {buffer, end.ptr};
}

std::string trec_text(const Evaluation& evaluation, const TrecLayout& layout) {
  std::string out;
  const std::size_t columns = evaluation.columns.size();
  for (std::size_t q = 0; layout.per_query && q < evaluation.queries.size(); ++q)
    for (std::size_t c = 0; c < columns; ++c) {
      const MeasureInfo& info = *evaluation.columns[c].measure->info;
      if (info.print == Print::kNever) continue;
      append_line(out, evaluation.columns[c].name, evaluation.queries[q],
                  info.print == Print::kText
                      ? cat("'", evaluation.texts[q], "'")
                      : value_text(info, evaluation.at(q, c), layout.digits));
    }
  if (!layout.summary || evaluation.stopped) return out;
  for (std::size_t c = 0; c < columns; ++c) {
    const MeasureInfo& info = *evaluation.columns[c].measure->info;
    if (info.name == "runid")
      append_line(out, "runid", "all", evaluation.tag);
    else if (info.mean != Mean::kLast)
      append_line(out, evaluation.columns[c].name, "all",
                  value_text(info, evaluation.means[c], layout.digits));
  }
  return out;
}

}  // namespace ragline
