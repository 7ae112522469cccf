// The filter language: any bytes give a filter or a message with a place in them, and a filter's
// text parses to the same filter.
#include "core/text.h"
#include "fuzz.h"
#include "index/filter.h"

using ragline::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = ragline::fuzz::text(data, size);
  const auto filter = ragline::parse_filter(text);
  if (filter) {
    const auto again = ragline::parse_filter(ragline::filter_text(*filter));
    require(again && *again == *filter);
    return 0;
  }
  std::string_view message = filter.error().message;
  constexpr std::string_view kPlace = "--filter: at ";
  require(filter.error().kind == ragline::ErrorKind::kUsage && message.starts_with(kPlace));
  message.remove_prefix(kPlace.size());
  const auto place = ragline::parse_integer(message.substr(0, message.find(':')));
  require(place && *place >= 1 && *place <= static_cast<std::int64_t>(size) + 1);
  return 0;
}
