#pragma once
#include "actors/core/memory.hpp"

#include <string>
#include <vector>

namespace sliceferry::journal {

/// Field by field, where two memories differ: "generation: 3, not 4". Empty for equal ones.
std::vector<std::string> differences(const core::memory& is, const core::memory& should_be);

} // namespace sliceferry::journal
