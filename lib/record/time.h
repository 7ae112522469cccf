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

// RFC 3339 ("2026-03-01T12:00:00Z", with offset or fraction), or a date alone ("2026-03-01": its first moment in UTC).
// kData names the text and the right form.
Result<TimePoint> parse_time(std::string_view text);
std::string format_time(TimePoint time);  // RFC 3339 in UTC, fraction only when there is one
TimePoint now();

}  // namespace ragline
