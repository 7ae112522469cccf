#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ragline {

// A table for people: the first `left` columns are flush left, the others flush right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header, std::size_t left = 1)
      : left_(left), rows_{std::move(header)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  // Aligned by code points, two blanks between columns.
  std::string text() const;
  std::string markdown() const;
  std::string tsv() const;
  // By the name of a format: "text", "markdown" or "tsv".
  std::string render(std::string_view format) const;

 private:
  std::size_t left_;
  std::vector<std::vector<std::string>> rows_;
};

// "[0.39, 0.47]".
std::string interval_text(double low, double high, int digits);
// A p value: "0.0312", "<0.0001".
std::string p_text(double p);

}  // namespace ragline
