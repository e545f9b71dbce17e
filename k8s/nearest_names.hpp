#pragma once
#include <string>
#include <vector>

namespace sliceferry::k8s {

/// Up to three of `known` that are spelled most like `wanted`, best first, for an error message
/// that says what may have been meant.
std::vector<std::string> nearest_names(const std::string& wanted, std::vector<std::string> known);

} // namespace sliceferry::k8s
