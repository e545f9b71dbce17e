#pragma once
#include "test/storm/history/entry.hpp"

#include <optional>
#include <string_view>

namespace sliceferry::storm {

/// 1–253 characters; parts between dots begin and end with a lower-case letter or digit, hyphens within.
bool is_subdomain(std::string_view name);

/// A timestamp of RFC 3339 to the microsecond; any offset.
std::optional<instant> read_time(std::string_view text);

} // namespace sliceferry::storm
