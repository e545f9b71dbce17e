#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// The known name with the fewest edits from `wrong`; of equals the first. Empty where none is known.
std::string nearest_name(std::string_view wrong, const std::vector<std::string>& known);

} // namespace sliceferry::storm
