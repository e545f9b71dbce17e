#pragma once
#include "actors/core/member_identity.hpp"
#include "messages/object_key.hpp"

#include <cstdint>
#include <string>

namespace sliceferry::core {

/// A fleet-wide unique name for a slice's export, always a valid DNS-1123 subdomain.
///
/// `<cluster>-<namespace>-<name>-<suffix>` as the Go controller forms it, each of the three cut to 81 bytes; the
/// suffix is 7 lower-case alphanumerics from a hash of the uncut parts, the UID, the process's seed and `count`, the
/// names chosen for this slice before. Where that is no valid name (a cut at a dot, an upper-case cluster): 25
/// letters of the same hash (C33).
std::string unique_name(const member_identity& identity, const object_key& slice, const std::string& uid,
                        std::uint32_t count);

/// `<cluster>-<namespace>-<name>-`, cut as above: what such a name begins with.
std::string name_prefix(const std::string& cluster, const object_key& slice);

} // namespace sliceferry::core
