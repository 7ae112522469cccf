// Decoding: text comes out as valid UTF-8 without NUL, what is not changed was valid, and a second decoding changes nothing.
#include "corpus/decode.h"

#include "core/utf8.h"
#include "fuzz.h"

using ragline::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = ragline::fuzz::text(data, size);
  const auto decoded = ragline::decode_text(input);
  if (decoded.binary) {
    require(!decoded.changed && decoded.converted.empty());
    return 0;
  }
  const std::string_view text = decoded.changed ? std::string_view(decoded.converted) : input;
  require(ragline::is_valid_utf8(text));
  require(text.find('\0') == text.npos);
  // A mark behind the mark is text of the first decoding, and would be the mark of a second one.
  if (!text.starts_with("\xEF\xBB\xBF")) {
    const auto again = ragline::decode_text(text);
    require(!again.binary && !again.changed);
  }
  return 0;
}
