#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"

namespace ragline {

// Microseconds since 1970-01-01T00:00:00Z. kMinTime and kMaxTime stand for "unbounded".
using TimePoint = std::int64_t;
inline constexpr TimePoint kMinTime = INT64_MIN;
inline constexpr TimePoint kMaxTime = INT64_MAX;

// RFC 3339 ("2026-03-01T12:00:00Z", with offset or fraction, a blank for the T too), or a date
// alone ("2026-03-01": its first moment in UTC). A leap second is the first moment of the next
// minute. kData names the text and the right form.
Result<TimePoint> parse_time(std::string_view text);
// RFC 3339 in UTC, with a fraction only when there is one. Empty for the unbounded times, and
// outside the years 0 to 9999.
std::string format_time(TimePoint time);
TimePoint now();

}  // namespace ragline
