// Markdown and its front matter, and the light markups of plain text.
#include "corpus/front_matter.h"
#include "record/reader.h"
#include "tiling.h"

using ragline::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = ragline::fuzz::text(data, size);
  for (const char* type : {"text/markdown", "text/x-rst", "text/x-asciidoc", "text/x-org",
                           "text/plain", "text/x-log", "text/x-c"})
    ragline::fuzz::require_sound(type, input);
  if (const auto found = ragline::parse_front_matter(input, false)) {
    require(found->size <= input.size());
    if (ragline::is_valid_utf8(input) && !found->metadata.empty())
      require(ragline::check_json(found->metadata).has_value());
  }
  return 0;
}
