#pragma once
#include "actors/core/leftover.hpp"
#include "actors/core/member_table.hpp"
#include "actors/core/target.hpp"

namespace sliceferry::core {

/// What is to become of an export that the member made under a former name (D27): it waits, or is to be withdrawn.
///
/// - `superseded`: its slice is exported under the new name, live and named by the slice. It goes only then, so that
///   importers are never without the endpoints.
/// - `seen`, `gone`: its slice isn't to be exported, or is known to be gone.
/// - `leftover`: a complete list doesn't hold its slice.
/// - `leaving`: the member leaves the fleet, and its former exports with it; that needs no picture.
///
/// But for the last, it waits until slices, ServiceExports and the new exports are synced.
target former_target(const member_identity& identity, const member_table& table, const leftover& former);

} // namespace sliceferry::core
