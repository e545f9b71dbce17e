#pragma once
#include "test/storm/weather/user_request.hpp"

#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// The requests that a wish becomes, given the export as it stands, in JSON. They may fail, for the program acts
/// meanwhile. Throws where the text isn't an export.
std::vector<user_request> requests_upon(const export_wish& wish, std::string_view exported);

} // namespace sliceferry::storm
