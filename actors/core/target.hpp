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

/// The decision table (C9–C18 with D21, D30 and D32 repaired); the first row that matches wins.
target choose_target(const member_identity& identity, const memory& held, const inputs& seen);

/// True for a proof without a witness: the guard must give leave, since a wrong view of the member looks the same. And
/// for one that a deletion of the kind gives to all at once.
constexpr bool needs_leave(proof why) {
  return why == proof::gone || why == proof::ending || why == proof::leftover;
}

} // namespace sliceferry::core
