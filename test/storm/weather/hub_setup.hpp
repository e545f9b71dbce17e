#pragma once
#include "test/storm/weather/user_request.hpp"

#include <functional>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// The members' namespaces on the hub, and in each some exports of another cluster that nobody may touch.
void set_up_hub(const std::vector<std::string>& members, const std::function<void(user_request)>& sink);

} // namespace sliceferry::storm
