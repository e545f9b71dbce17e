#pragma once
#include "actors/core/member_identity.hpp"
#include "actors/core/memory.hpp"
#include "messages/endpoint_slice.hpp"
#include "messages/hub_export.hpp"
#include "messages/slice_export.hpp"

#include <cstdint>
#include <memory>

namespace sliceferry::core {

/// What the hub ought to hold for a slice as it now is.
struct desired_export {
  std::shared_ptr<const slice_export_spec> spec; ///< never null
  std::uint64_t digest = 0;
};

desired_export desire(const member_identity& identity, const memory& held, const endpoint_slice& slice);

/// True if the hub's object needs no write: it is equivalent, or it is what the server made of exactly this content
/// when it was sent (a pruned field, a webhook), with which we don't fight.
bool holds(const memory& held, const hub_export& seen, std::uint64_t digest);

} // namespace sliceferry::core
