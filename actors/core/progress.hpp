#pragma once
#include "actors/core/member_identity.hpp"
#include "actors/core/memory.hpp"
#include "messages/endpoint_slice.hpp"
#include "messages/inputs.hpp"

namespace sliceferry::core {

// How far the export of a slice has come, judged from what the clusters show.

/// The slice carries the export's name: only then may the hub be written.
bool is_named(const memory& held, const endpoint_slice& slice);

/// The slice carries name, generation and time as memory holds them.
bool is_annotated(const memory& held, const endpoint_slice& slice);

/// An acknowledged annotate is not yet followed by an apply, and the hub shows it: until then last-seen is not moved
/// on, else a slice that changes faster than a round trip would never reach the hub.
/// Precondition: `seen.slice` is not null.
bool is_apply_due(const memory& held, const inputs& seen);

/// The export is named by the slice, acknowledged and holds what it ought to: only now may duplicates of it go.
/// Precondition: `seen.slice` is not null.
bool is_exported(const member_identity& identity, const memory& held, const inputs& seen);

} // namespace sliceferry::core
