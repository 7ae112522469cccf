#pragma once
#include <string>

#include "cli/terminal.h"
#include "record/record.h"
#include "search/snippet.h"

namespace ragline {

// A hit for people:
//
//   1  docs/orders.md:120-131  Orders > Cancelling  12.34
//      ... the customer may cancel an unshipped order until ...
//
// file: where the hit's path can be opened, for links; empty: no link.
void render_hit(std::string& out, const Hit& hit, const Snippet& snippet, const std::string& file, const Painter& painter);
// The end record for people: how many hits, what to try next, warnings.
void render_end(std::string& out, const End& end, const Painter& painter);

}  // namespace ragline
