#pragma once
#include "actors/core/member_identity.hpp"
#include "actors/core/memory.hpp"
#include "messages/command.hpp"
#include "messages/inputs.hpp"

namespace sliceferry::core {

/// What the clusters, as seen, ask for.
enum class goal {
  wait,      ///< conclude nothing: half a picture, or no verdict yet; what is stays as it is
  ignore,    ///< nothing to export, and nothing of ours is out there
  withdraw,  ///< what is out there must go
  export_it, ///< the hub must show this slice
};

/// A goal, and for `withdraw` the proof that it may be done.
struct target {
  goal what = goal::wait;
  proof why = proof::seen;

  bool operator==(const target&) const = default;
};

/// The rows of the decision table, in its order.
enum class target_rule {
  leaving,      ///< an operator has the member leave the fleet
  synced,       ///< all three inputs are synced
  presence,     ///< the slice is there
  imported,     ///< it wasn't imported from the fleet
  address_type, ///< it is of the type that is exported
  service,      ///< it belongs to a Service
  deleting,     ///< it isn't being deleted
  consent,      ///< its Service's ServiceExport grants; nothing comes after it
};

/// A target, and the row that gave it: all rows before it let the slice pass.
struct reasoned_target {
  target aim;
  target_rule by = target_rule::synced;

  bool operator==(const reasoned_target&) const = default;
};

reasoned_target reason_target(const member_identity& identity, const memory& held, const inputs& seen);

/// The decision table (C9–C18 with D21, D30 and D32 repaired); the first row that matches wins.
target choose_target(const member_identity& identity, const memory& held, const inputs& seen);

/// True for a proof without a witness: the guard must give leave, since a wrong view of the member looks the same. And
/// for one that a deletion of the kind gives to all at once.
constexpr bool needs_leave(proof why) {
  return why == proof::gone || why == proof::ending || why == proof::leftover;
}

} // namespace sliceferry::core
