#pragma once
#include "actors/core/member_identity.hpp"
#include "messages/clock.hpp"
#include "messages/endpoint_slice.hpp"
#include "messages/slice_export.hpp"

namespace sliceferry::core {

/// The content of a slice's export (C42–C45): the ready endpoints' addresses in order, the ports verbatim, and which
/// slice of which cluster and Service this is. `since` is the time at which its generation was seen first.
///
/// With `serving_fallback`, a slice without ready endpoints shows those that serve while they terminate, so that a
/// rolling restart of all pods doesn't leave importers without any (D25).
slice_export_spec project(const member_identity& identity, const endpoint_slice& slice, seconds_utc since);

} // namespace sliceferry::core
