#include "rag-eval/table.h"

#include <algorithm>

#include "core/text.h"
#include "rag-eval/trec.h"

namespace ragline {

namespace {

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string escaped(std::string_view cell, std::string_view special) {
  std::string out;
  for (const char c : cell) {
    if (c == '\n' || c == '\t') {
      out += ' ';
      continue;
    }
    if (special.contains(c)) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_[0].size());
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string cell = escaped(row[i], "");
      const std::string gap(widths[i] - width_of(row[i]), ' ');
      append(line, i ? "  " : "", i < left_ ? cell : gap, i < left_ ? gap : cell);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    append(out, line, '\n');
  }
  return out;
}

std::string TextTable::markdown() const {
  std::string out;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    for (const std::string& cell : rows_[row]) append(out, "| ", escaped(cell, "|"), ' ');
    out += "|\n";
    if (row > 0) continue;
    for (std::size_t i = 0; i < rows_[0].size(); ++i) out += i < left_ ? "|---" : "|--:";
    out += "|\n";
  }
  return out;
}

std::string TextTable::tsv() const {
  std::string out;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) append(out, i ? "\t" : "", escaped(row[i], ""));
    out += '\n';
  }
  return out;
}

std::string TextTable::render(std::string_view format) const {
  if (format == "markdown") return markdown();
  return format == "tsv" ? tsv() : text();
}

std::string interval_text(double low, double high, int digits) {
  return cat('[', fixed_text(low, digits), ", ", fixed_text(high, digits), ']');
}

std::string p_text(double p) { return p < 0.0001 ? "<0.0001" : fixed_text(p, 4); }

}  // namespace ragline
