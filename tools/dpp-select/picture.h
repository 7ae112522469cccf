#pragma once
#include <string>
#include <vector>

#include "select/pool.h"

namespace ragline {

// A pool seen from above, as one SVG: each panel a layout of the same candidates, those chosen
// filled and numbered in the order of choice, the names of all under the pointer.
struct Panel {
  std::string title;
  std::vector<float> vectors;
  std::size_t dimensions = 0;
};
enum class Layout { kPrincipal, kNeighbours };

//   names   one a candidate
//   chosen  candidates in the order of choice
std::string pool_picture(const std::string& title, const std::vector<Panel>& panels, Layout layout,
                         const std::vector<std::string>& names,
                         const std::vector<std::uint32_t>& chosen);

}  // namespace ragline
