// HTML: the bounded markup stays bounded, the text is sound.
#include "corpus/html.h"
#include "tiling.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = ragline::fuzz::text(data, size);
  // Tags may gain a '>' and a title its end tag, once each.
  ragline::fuzz::require(ragline::bounded_html(input).size() <= 2 * input.size() + 16);
  ragline::fuzz::require_sound("text/html", input);
  return 0;
}
