#pragma once
#include "messages/clock.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sliceferry {

/// `2026-11-30T13:05:09Z`: UTC, whole seconds, independent of any locale.
std::string format_rfc3339(seconds_utc time);

/// Reads what Go's `time.Parse(time.RFC3339, …)` reads: an offset or an upper-case `Z`, an
/// optional fraction (cut off), real calendar days only. Anything else is nothing.
std::optional<seconds_utc> parse_rfc3339(std::string_view text);

} // namespace sliceferry
