#include "eval/chart.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace ragline {

namespace {

constexpr double kWidth = 720, kLeft = 180, kRight = 20, kTop = 34, kBottom = 40, kPlotHeight = 260;

// A coordinate with two decimals at most.
std::string at(double value) { return number_text(std::round(value * 100) / 100); }

std::string attribute(std::string_view name, std::string_view value) {
  return cat(' ', name, "=\"", value, '"');
}

// A linear or logarithmic axis from a range of values to one of pixels.
struct Axis {
  double low = 0, high = 1, from = 0, to = 1;
  bool logarithmic = false;
  double place(double value) const {
    const auto scaled = [&](double v) { return logarithmic ? std::log10(v) : v; };
    const double span = scaled(high) - scaled(low);
    return from + (span > 0 ? (scaled(value) - scaled(low)) / span : 0.5) * (to - from);
  }
};

class Svg {
 public:
  Svg(std::string_view title, double width, double height) {
    append(out_, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ", at(width),
           ' ', at(height), "\" aria-label=\"", escape_html(title), "\">\n");
    text(width / 2, 18, title, "middle", "heading");
  }
  void text(double x, double y, std::string_view text, std::string_view anchor,
            std::string_view kind = "") {
    append(out_, "<text", attribute("x", at(x)), attribute("y", at(y)),
           attribute("text-anchor", anchor), kind.empty() ? "" : attribute("class", kind), '>',
           escape_html(text), "</text>\n");
  }
  void line(double x1, double y1, double x2, double y2, std::string_view kind) {
    append(out_, "<line", attribute("x1", at(x1)), attribute("y1", at(y1)), attribute("x2", at(x2)),
           attribute("y2", at(y2)), attribute("class", kind), "/>\n");
  }
  void box(double x, double y, double width, double height, std::size_t series,
           std::string_view title) {
    append(out_, "<rect", attribute("x", at(x)), attribute("y", at(y)),
           attribute("width", at(std::max(width, 0.5))), attribute("height", at(height)),
           attribute("class", kind(series)), "><title>", escape_html(title), "</title></rect>\n");
  }
  void dot(double x, double y, std::size_t series, std::string_view title) {
    append(out_, "<circle", attribute("cx", at(x)), attribute("cy", at(y)), " r=\"4\"",
           attribute("class", kind(series)), "><title>", escape_html(title), "</title></circle>\n");
  }
  void path(const std::vector<std::pair<double, double>>& points, std::size_t series) {
    out_ += "<polyline points=\"";
    for (const auto& [x, y] : points) append(out_, at(x), ',', at(y), ' ');
    append(out_, "\"", attribute("class", cat("line ", kind(series))), "/>\n");
  }
  void legend(const std::vector<std::string>& names, double y) {
    double x = kLeft;
    for (std::size_t i = 0; i < names.size(); ++i) {
      box(x, y - 9, 10, 10, i, names[i]);
      text(x + 14, y, names[i], "start");
      x += 30 + 7 * static_cast<double>(names[i].size());
    }
  }
  std::string close() { return out_ + "</svg>\n"; }

 private:
  static std::string kind(std::size_t series) { return cat('s', series % 8); }
  std::string out_;
};

std::string value_text(double value) {
  const double size = std::fabs(value);
  const double unit = size >= 100 ? 1 : size >= 1 ? 100 : 10000;
  return number_text(std::round(value * unit) / unit);
}

std::string mark_text(const Mark& mark) {
  std::string text = cat(mark.name, ": ", value_text(mark.value));
  if (mark.interval)
    append(text, " [", value_text(mark.interval->low), ", ", value_text(mark.interval->high), "]");
  return text;
}

struct Range {
  double low = 0, high = 0;
  bool any = false;
  void add(double value) {
    if (!std::isfinite(value)) return;
    low = any ? std::min(low, value) : value;
    high = any ? std::max(high, value) : value;
    any = true;
  }
};

// The vertical axis of a plot with its grid; returns the axis over round steps.
Axis draw_y_axis(Svg& svg, const Range& range) {
  const std::vector<double> steps = axis_steps(range.low, range.high, 5);
  const Axis axis{steps.front(), steps.back(), kTop + kPlotHeight, kTop};
  for (const double step : steps) {
    svg.line(kLeft, axis.place(step), kWidth - kRight, axis.place(step), "grid");
    svg.text(kLeft - 8, axis.place(step) + 4, value_text(step), "end");
  }
  return axis;
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
      out += c;
  }
  return out;
}

std::vector<double> axis_steps(double low, double high, int count) {
  if (!(high > low)) high = low + (low == 0 ? 1 : std::fabs(low));
  const double rough = (high - low) / count;
  const double magnitude = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * magnitude;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * magnitude >= rough * (1 - 1e-9)) step = factor * magnitude;
  // Ranges at the ends of what a double can say have no round steps.
  const double first = std::floor(low / step + 1e-9), last = std::ceil(high / step - 1e-9);
  if (!(last - first >= 1 && last - first <= 2 * count)) return {low, high};
  std::vector<double> out;
  for (double i = first; i <= last; ++i) out.push_back(i * step);
  return out;
}

std::string bar_chart(std::string_view title, const std::vector<std::string>& series,
                      const std::vector<BarGroup>& groups) {
  constexpr double kBar = 14, kGap = 10;
  Range range;
  range.add(0);
  double rows = 0;
  for (const BarGroup& group : groups) {
    rows += kBar * static_cast<double>(group.bars.size()) + kGap;
    for (const Mark& mark : group.bars) {
      range.add(mark.value);
      if (mark.interval) range.add(mark.interval->high);
      if (mark.interval) range.add(mark.interval->low);
    }
  }
  const double height = kTop + 20 + rows + kBottom;
  Svg svg(title, kWidth, height);
  if (series.size() > 1) svg.legend(series, kTop + 8);
  const std::vector<double> steps = axis_steps(range.low, range.high, 5);
  const Axis axis{steps.front(), steps.back(), kLeft, kWidth - kRight - 20};
  const double top = kTop + 20, bottom = top + rows;
  for (const double step : steps) {
    svg.line(axis.place(step), top, axis.place(step), bottom, "grid");
    svg.text(axis.place(step), bottom + 16, value_text(step), "middle");
  }
  double y = top + kGap / 2;
  for (const BarGroup& group : groups) {
    svg.text(kLeft - 8, y + kBar * static_cast<double>(group.bars.size()) / 2 + 4, group.label,
             "end");
    for (std::size_t i = 0; i < group.bars.size(); ++i, y += kBar) {
      const Mark& mark = group.bars[i];
      if (!std::isfinite(mark.value)) continue;
      const double begin = axis.place(std::min(0.0, mark.value)),
                   end = axis.place(std::max(0.0, mark.value));
      svg.box(begin, y, end - begin, kBar - 3, i, mark_text(mark));
      if (mark.interval)
        svg.line(axis.place(mark.interval->low), y + (kBar - 3) / 2,
                 axis.place(mark.interval->high), y + (kBar - 3) / 2, "whisker");
    }
    y += kGap;
  }
  return svg.close();
}

std::string curve_chart(std::string_view title, std::string_view x_label,
                        const std::vector<Curve>& curves) {
  Range x, y;
  y.add(0);
  for (const Curve& curve : curves)
    for (const auto& [px, py] : curve.points) {
      x.add(px);
      y.add(py);
    }
  Svg svg(title, kWidth, kTop + kPlotHeight + kBottom + 20);
  const Axis rows = draw_y_axis(svg, y);
  const Axis columns{x.any ? x.low : 1, x.any ? x.high : 10, kLeft, kWidth - kRight, true};
  std::vector<double> ticks;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::vector<std::pair<double, double>> points;
    for (const auto& [px, py] : curves[i].points) {
      if (!std::isfinite(py)) continue;
      points.emplace_back(columns.place(px), rows.place(py));
      if (std::ranges::find(ticks, px) == ticks.end()) ticks.push_back(px);
    }
    svg.path(points, i);
    for (std::size_t p = 0; p < points.size(); ++p)
      svg.dot(points[p].first, points[p].second, i,
              cat(curves[i].name, " at ", value_text(curves[i].points[p].first), ": ",
                  value_text(curves[i].points[p].second)));
    names.push_back(curves[i].name);
  }
  for (const double tick : ticks)
    svg.text(columns.place(tick), kTop + kPlotHeight + 16, value_text(tick), "middle");
  svg.text((kLeft + kWidth - kRight) / 2, kTop + kPlotHeight + 34, x_label, "middle");
  svg.legend(names, kTop + kPlotHeight + 54);
  return svg.close();
}

std::string scatter_chart(std::string_view title, std::string_view x_label,
                          std::string_view y_label, const std::vector<Point>& points) {
  Range x, y;
  x.add(0);
  for (const Point& point : points) {
    x.add(point.x);
    y.add(point.y);
  }
  Svg svg(title, kWidth, kTop + kPlotHeight + kBottom);
  const Axis rows = draw_y_axis(svg, y);
  const std::vector<double> steps = axis_steps(x.low, x.high, 5);
  const Axis columns{steps.front(), steps.back(), kLeft, kWidth - kRight - 60};
  for (const double step : steps)
    svg.text(columns.place(step), kTop + kPlotHeight + 16, value_text(step), "middle");
  svg.text((kLeft + kWidth - kRight) / 2, kTop + kPlotHeight + 34, x_label, "middle");
  svg.text(8, kTop - 14, y_label, "start");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    svg.dot(columns.place(point.x), rows.place(point.y), i,
            cat(point.name, ": ", value_text(point.x), ", ", value_text(point.y)));
    svg.text(columns.place(point.x) + 7, rows.place(point.y) + 4, point.name, "start");
  }
  return svg.close();
}

std::string difference_chart(std::string_view title, std::vector<Mark> differences) {
  std::erase_if(differences, [](const Mark& mark) { return !std::isfinite(mark.value); });
  std::ranges::stable_sort(differences, {}, &Mark::value);
  Range y;
  y.add(0);
  for (const Mark& mark : differences) y.add(mark.value);
  Svg svg(title, kWidth, kTop + kPlotHeight + 20);
  const Axis rows = draw_y_axis(svg, y);
  const double width =
      (kWidth - kRight - kLeft) / static_cast<double>(std::max<std::size_t>(differences.size(), 1));
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const double begin = rows.place(std::max(0.0, differences[i].value)),
                 end = rows.place(std::min(0.0, differences[i].value));
    svg.box(kLeft + width * static_cast<double>(i), begin, width * 0.85, std::max(end - begin, 0.5),
            differences[i].value < 0 ? 1 : 0, mark_text(differences[i]));
  }
  svg.line(kLeft, rows.place(0), kWidth - kRight, rows.place(0), "whisker");
  return svg.close();
}

}  // namespace ragline
