#include "actors/core/outstanding.hpp"

#include "actors/core/desired_export.hpp"
#include "actors/core/keeper.hpp"
#include "actors/core/progress.hpp"
#include "actors/core/target.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::core {
namespace {

// From the sixth annotate in a row that no apply followed: something fights us over the slice or over the name.
constexpr std::uint32_t annotates_unhurried_max = 5;

/// The withdrawal that is decided, as long as its object is live.
std::optional<command> owed_withdrawal(const memory& held, const inputs& seen) {
  const auto* begun = under_way(held);
  const auto* object = begun ? find_uid(seen, begun->hub_uid) : nullptr;
  if (!object || object->terminating)
    return std::nullopt;
  return withdraw_export{begun->name, begun->hub_uid, begun->why};
}

std::optional<command> owed_to_withdraw(const memory& held, const inputs& seen, proof why) {
  if (needs_leave(why) && !seen.leave)
    return std::nullopt;
  const bool is_any_live = std::ranges::any_of(seen.hub, [&](const auto& each) { return is_live(held, each); });
  if (under_way(held) || is_any_live)
    return owed_withdrawal(held, seen);
  if (!seen.slice || seen.slice->ours.empty())
    return std::nullopt;
  return clear_annotations{seen.slice->key, seen.slice->uid};
}

std::optional<command> owed_apply(const member_identity& identity, const memory& held, const inputs& seen) {
  const auto* object = find_named(seen, held.name);
  // Terminating by someone's delete: create again once it is gone (D9). Foreign: another name is about to be chosen.
  if (object && !is_live(held, *object))
    return std::nullopt;
  auto [spec, digest] = desire(identity, held, *seen.slice);
  if (object && holds(held, *object, digest))
    return std::nullopt;
  // Only what undoes the other one's doing waits for it, not a change of the slice.
  const bool is_repair = held.digest == digest;
  apply_export out{held.name, std::nullopt, std::move(spec), digest, is_repair, is_repair ? seen.undone : 0};
  if (object)
    out.target = hub_target{object->uid, object->resource_version};
  return out;
}

std::optional<command> owed_to_export(const member_identity& identity, const memory& held, const inputs& seen) {
  const auto& slice = *seen.slice;
  const auto* begun = under_way(held);
  if (held.name.empty() || (begun && begun->why != proof::superseded))
    return std::nullopt;
  const bool annotated = is_annotated(held, slice);
  const bool goes_first = is_named(held, slice) && (held.annotate_refused || is_apply_due(held, seen));
  if (annotated || goes_first)
    if (auto apply = owed_apply(identity, held, seen))
      return apply;
  if (annotated)
    return owed_withdrawal(held, seen);
  return annotate_slice{slice.key,       slice.uid,  held.name,
                        held.generation, held.since, held.annotated_in_row >= annotates_unhurried_max};
}

} // namespace

std::optional<command> outstanding(const member_identity& identity, const memory& held, const inputs& seen) {
  const auto [what, why] = choose_target(identity, held, seen);
  switch (what) {
    case goal::wait:
    case goal::ignore:
      return std::nullopt;
    case goal::withdraw:
      return owed_to_withdraw(held, seen, why);
    case goal::export_it:
      return owed_to_export(identity, held, seen);
  }
  return std::nullopt;
}

} // namespace sliceferry::core
