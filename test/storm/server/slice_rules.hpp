#pragma once
#include "test/storm/server/proposal.hpp"

namespace sliceferry::storm {

/// What an EndpointSlice must be beside its form. `before` is null when it is created.
void check_slice(const proposal& wanted, const revision* before, field_errors& errors);

} // namespace sliceferry::storm
