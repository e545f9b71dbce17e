#include "actors/core/former_target.hpp"

#include "actors/core/keeper.hpp"

#include <utility>

namespace sliceferry::core {
namespace {

bool has_successor(const inputs& seen) {
  const auto* object = seen.slice->ours.name ? find_named(seen, *seen.slice->ours.name) : nullptr;
  return object && is_live({}, *object);
}

} // namespace

target former_target(const member_identity& identity, const member_table& table, const leftover& former) {
  inputs seen = table.inputs_of(former.slice_uid);
  if (seen.leaving)
    return {goal::withdraw, proof::leaving};
  if (!seen.slices_synced || !seen.consents_synced || !seen.hub_synced)
    return {goal::wait};
  if (!table.knows(former.slice_uid))
    return table.uid_listed(former) ? target{goal::wait} : target{goal::withdraw, proof::leftover};
  const bool superseded = seen.slice && has_successor(seen);
  // It is an export of the slice, if an old one: what forbids to export the slice takes it away.
  hub_export old;
  old.mine = true;
  seen.hub.push_back(std::move(old));
  const auto to_do = choose_target(identity, {}, seen);
  if (to_do.what != goal::export_it)
    return to_do;
  return superseded ? target{goal::withdraw, proof::superseded} : target{goal::wait};
}

} // namespace sliceferry::core
