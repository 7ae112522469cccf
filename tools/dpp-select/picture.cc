#include "dpp-select/picture.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "eval/chart.h"
#include "select/layout.h"

namespace ragline {

namespace {

constexpr double kSide = 360, kEdge = 24, kHead = 40;

std::string tenths(double value) { return number_text(std::round(value * 10) / 10); }

// Both axes in one scale: distances are what the picture is for.
void append_panel(std::string& out, const Panel& panel, Layout layout, double left,
                  const std::vector<std::string>& names, const std::vector<std::uint32_t>& chosen) {
  const auto places = layout == Layout::kPrincipal
                          ? principal_plane(panel.vectors, panel.dimensions)
                          : neighbour_plane(panel.vectors, panel.dimensions);
  double reach = 1e-12;
  for (const Place& place : places) reach = std::max({reach, std::abs(place.x), std::abs(place.y)});
  const double scale = (kSide / 2 - kEdge) / reach;
  append(out, "<text x=\"", tenths(left + kSide / 2), "\" y=\"", tenths(kHead - 8),
         "\" text-anchor=\"middle\">", escape_html(panel.title), "</text>\n");
  append(out, "<rect x=\"", tenths(left), "\" y=\"", tenths(kHead), "\" width=\"", tenths(kSide),
         "\" height=\"", tenths(kSide),
         "\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".2\"/>\n");
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const std::string x = tenths(left + kSide / 2 + scale * places[i].x),
                      y = tenths(kHead + kSide / 2 - scale * places[i].y);
    const auto pick = std::ranges::find(chosen, i);
    append(out, "<circle cx=\"", x, "\" cy=\"", y, "\" r=\"", pick == chosen.end() ? "4" : "8",
           "\" fill=\"", pick == chosen.end() ? "none" : "#d95f02",
           "\" stroke=\"currentColor\"><title>", i + 1, ": ", escape_html(names[i]),
           "</title></circle>\n");
    if (pick != chosen.end())
      append(out, "<text x=\"", x, "\" y=\"", y,
             "\" dy=\"4\" text-anchor=\"middle\" fill=\"white\" font-size=\"10\">",
             pick - chosen.begin() + 1, "</text>\n");
  }
}

}  // namespace

std::string pool_picture(const std::string& title, const std::vector<Panel>& panels, Layout layout,
                         const std::vector<std::string>& names,
                         const std::vector<std::uint32_t>& chosen) {
  const double width = static_cast<double>(panels.size()) * (kSide + kEdge) + kEdge;
  std::string out;
  append(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ", tenths(width), " ",
         tenths(kHead + kSide + kEdge),
         "\" role=\"img\" font-family=\"sans-serif\" font-size=\"13\">\n<title>",
         escape_html(title), "</title>\n");
  double left = kEdge;
  for (const Panel& panel : panels) {
    append_panel(out, panel, layout, left, names, chosen);
    left += kSide + kEdge;
  }
  return out + "</svg>\n";
}

}  // namespace ragline
