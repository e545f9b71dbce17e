#include "actors/core/target.hpp"

#include "actors/core/keeper.hpp"

#include <algorithm>

namespace sliceferry::core {
namespace {

/// The name annotation is there, whatever it says, or an export of ours is live.
bool exported_before(const memory& held, const inputs& seen) {
  return (seen.slice && seen.slice->ours.name) ||
         std::ranges::any_of(seen.hub, [&](const auto& each) { return is_live(held, each); });
}

/// What is to be done where something forbids the export.
target forbidden(const memory& held, const inputs& seen, proof why) {
  return exported_before(held, seen) ? target{goal::withdraw, why} : target{goal::ignore};
}

/// All that is ours goes, whatever the slice and its consent say; the last of our annotations, too.
target by_leave(const memory& held, const inputs& seen) {
  if (!seen.hub_synced || (!seen.slice && !seen.gone))
    return {goal::wait};
  return seen.slice && !seen.slice->ours.empty() ? target{goal::withdraw, proof::leaving}
                                                 : forbidden(held, seen, proof::leaving);
}

target by_consent(const memory& held, const inputs& seen) {
  switch (seen.says) {
    case consent::granted:
      return {goal::export_it};
    case consent::pending:
      return exported_before(held, seen) ? target{goal::wait} : target{goal::ignore};
    case consent::absent:
      // Without a name no ServiceExport can exist, and there is nothing that could be looked for.
      if (seen.slice->service->empty())
        return forbidden(held, seen, proof::seen);
      return seen.consent_proven ? forbidden(held, seen, proof::gone) : target{goal::wait};
    case consent::invalid:
    case consent::conflicted:
      return forbidden(held, seen, proof::seen);
    case consent::deleting:
      return forbidden(held, seen, proof::ending);
  }
  return {goal::wait};
}

} // namespace

reasoned_target reason_target(const member_identity& identity, const memory& held, const inputs& seen) {
  if (seen.leaving)
    return {by_leave(held, seen), target_rule::leaving};
  if (!seen.slices_synced || !seen.consents_synced || !seen.hub_synced)
    return {{goal::wait}, target_rule::synced};
  if (!seen.slice)
    return {seen.gone ? forbidden(held, seen, seen.leftover ? proof::leftover : proof::gone) : target{goal::wait},
            target_rule::presence};
  const auto& slice = *seen.slice;
  if (slice.key.nspace == identity.imports_nspace || slice.managed_by == importer_manager)
    return {forbidden(held, seen, proof::seen), target_rule::imported};
  if (slice.address_type != exported_address_type)
    return {forbidden(held, seen, proof::seen), target_rule::address_type};
  if (!slice.service)
    return {forbidden(held, seen, proof::seen), target_rule::service};
  // A deleting slice is judged before the consent: that it is deleting was seen, whatever the ServiceExport says (C12).
  if (slice.deleting)
    return {forbidden(held, seen, proof::seen), target_rule::deleting};
  return {by_consent(held, seen), target_rule::consent};
}

target choose_target(const member_identity& identity, const memory& held, const inputs& seen) {
  return reason_target(identity, held, seen).aim;
}

} // namespace sliceferry::core
