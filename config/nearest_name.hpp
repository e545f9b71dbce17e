#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry {

/// What to tell someone who wrote `wrong`: `did you mean "x"?`, or all known names where none is
/// near. Case, dashes and underscores don't count, so another tool's spelling is understood.
std::string nearest_name_advice(std::string_view wrong, const std::vector<std::string>& known);

} // namespace sliceferry
