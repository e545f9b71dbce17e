#pragma once
#include "messages/slice_export.hpp"

#include <cstdint>

namespace sliceferry::core {

/// True when two contents of an export mean the same, so that replacing one by the other would be a write for nothing.
///
/// Ignores `reference.resourceVersion` (it moves with every foreign label). An empty kind or apiVersion is the proper
/// one (the Go controller may leave them out); ports null, absent and `[]` are equal; an absent protocol is TCP and an
/// absent port name is "" (the server stores these). Everything else counts. Exporter, hub view and diff all use it.
bool equivalent(const slice_export_spec& left, const slice_export_spec& right);

/// A fingerprint of the same normal form: equal exactly when `equivalent`, up to collisions. Never 0.
/// `count_resource_version` makes it depend on `reference.resourceVersion` too; whoever compares two digests of one
/// member passes `member_identity::refresh_resource_version_always` for both.
std::uint64_t digest(const slice_export_spec& spec, bool count_resource_version = false);

} // namespace sliceferry::core
