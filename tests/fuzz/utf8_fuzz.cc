// UTF-8: decoding ends, repair makes valid text and leaves valid text alone, cuts fall between code points.
#include "core/utf8.h"
#include "fuzz.h"

using ragline::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = ragline::fuzz::text(data, size);
  std::string decoded;
  for (std::size_t at = 0; at < input.size();) {
    const std::size_t before = at;
    ragline::append_utf8(decoded, ragline::next_code_point(input, at));
    require(at > before && at <= input.size());
  }
  const std::string repaired = ragline::to_valid_utf8(input);
  require(repaired == decoded);
  require(ragline::is_valid_utf8(repaired));
  require(ragline::is_valid_utf8(input) == (repaired == input));
  if (ragline::is_ascii(input)) require(ragline::is_valid_utf8(input));

  // Both sides of a cut of valid text are valid.
  const std::string_view valid = repaired;
  for (std::size_t at = 0; at <= valid.size(); at += 1 + valid.size() / 16) {
    const std::size_t cut = ragline::utf8_floor(valid, at);
    require(cut <= at && at - cut < 4);
    require(ragline::is_valid_utf8(valid.substr(0, cut)) && ragline::is_valid_utf8(valid.substr(cut)));
  }
  return 0;
}
