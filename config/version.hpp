#pragma once
#include <string_view>

namespace sliceferry {

/// As the project's build file states it.
inline constexpr std::string_view version = "0.1.0";

} // namespace sliceferry
