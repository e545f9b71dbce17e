#include "actors/core/desired_export.hpp"

#include "actors/core/equivalent.hpp"
#include "actors/core/project.hpp"

namespace sliceferry::core {

desired_export desire(const member_identity& identity, const memory& held, const endpoint_slice& slice) {
  auto spec = std::make_shared<const slice_export_spec>(project(identity, slice, held.since));
  const auto its_digest = digest(*spec, identity.refresh_resource_version_always);
  return {std::move(spec), its_digest};
}

bool holds(const memory& held, const hub_export& seen, std::uint64_t digest) {
  return seen.digest == digest || (held.digest == digest && held.accepted == seen.digest);
}

} // namespace sliceferry::core
