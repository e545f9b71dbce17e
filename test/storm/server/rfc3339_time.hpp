#pragma once
#include "test/storm/history/entry.hpp"

#include <string>
#include <string_view>

namespace sliceferry::storm {

/// Whole seconds in UTC, as servers write their stamps.
std::string rfc3339_text(instant when);

bool is_rfc3339(std::string_view text);

} // namespace sliceferry::storm
