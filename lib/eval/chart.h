#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "eval/bootstrap.h"

// Charts as SVG, for a page that needs no script and no network. Colours are the page's: series n
// has the class `sn` (n from 0 to 7, then again), lines and text take `currentColor`. Every mark
// has a <title>, which browsers show under the pointer; the whole is an image with a label. All
// text is escaped. Values that are not finite are left out.
namespace ragline {

struct Mark {
  std::string name;  // of what: shown under the pointer
  double value = 0;
  std::optional<Interval> interval;
};

// Horizontal bars in groups: a row of bars, one a series, for each group.
struct BarGroup {
  std::string label;
  std::vector<Mark> bars;  // by series
};
std::string bar_chart(std::string_view title, const std::vector<std::string>& series,
                      const std::vector<BarGroup>& groups);

// Lines over a logarithmic axis, for measures at k.
struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x > 0, in order
};
std::string curve_chart(std::string_view title, std::string_view x_label,
                        const std::vector<Curve>& curves);

struct Point {
  std::string name;
  double x = 0, y = 0;
};
std::string scatter_chart(std::string_view title, std::string_view x_label,
                          std::string_view y_label, const std::vector<Point>& points);

// One bar a query, from the largest loss to the largest win.
std::string difference_chart(std::string_view title, std::vector<Mark> differences);

// Round steps that cover the range in about `count` parts: 0, 0.2, 0.4, ... Both ends lie within
// the first and the last.
std::vector<double> axis_steps(double low, double high, int count);

// & < > " as entities; control characters are dropped.
std::string escape_html(std::string_view text);

}  // namespace ragline
