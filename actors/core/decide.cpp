#include "actors/core/decide.hpp"

#include "actors/core/evolve.hpp"
#include "actors/core/exported_since.hpp"
#include "actors/core/keeper.hpp"
#include "actors/core/last_seen.hpp"
#include "actors/core/name_choice.hpp"
#include "actors/core/outstanding.hpp"
#include "actors/core/progress.hpp"
#include "actors/core/target.hpp"
#include "actors/core/unique_name.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::core {
namespace {

using events = std::vector<event>;

/// A withdrawal that is decided counts as done once its export is terminating or gone, by whose delete ever.
bool is_carried_out(const withdrawal& begun, const inputs& seen) {
  const auto* object = find_uid(seen, begun.hub_uid);
  return !object || object->terminating;
}

events decide_ignored(const memory& held, const inputs& seen) {
  if (const auto* begun = under_way(held); begun && is_carried_out(*begun, seen))
    return {export_withdrawn{begun->hub_uid}};
  if (!seen.slice)
    return held.over ? events{} : events{slice_gone{}};
  // A name that is still pending stays: the annotate that was to write it may yet be asked for again.
  if (!held.name.empty() && !held.name_pending && seen.slice->ours.empty())
    return {annotations_cleared{}};
  return {};
}

events decide_withdrawal(const memory& held, const inputs& seen, proof why) {
  if (const auto* begun = under_way(held)) {
    if (is_carried_out(*begun, seen))
      return {export_withdrawn{begun->hub_uid}};
    // The operator took back the word on which it rests: it needs another proof.
    return begun->why == proof::leaving && why != proof::leaving ? events{withdrawal_cancelled{}} : events{};
  }
  if (needs_leave(why) && !seen.leave)
    return {};
  for (const auto& each : seen.hub)
    if (is_live(held, each))
      return {withdrawal_begun{each.name, each.uid, why}};
  return {};
}

/// What the clusters show of a slice that is exported under `name` already.
adopted adoption(const memory& held, const inputs& seen, const std::string& name) {
  adopted out;
  out.name = name;
  const auto* object = find_named(seen, name);
  if (const auto told = read_last_seen(seen.slice->ours)) {
    out.generation = told->generation;
    out.since = told->since;
  } else if (!seen.slice->ours.name && object && object->since) {
    out.generation = object->generation;
    out.since = *object->since;
  }
  if (object && is_live(held, *object))
    out.digest = object->digest;
  for (const auto& each : seen.hub)
    if (is_live(held, each))
      out.hub_uids.push_back(each.uid);
  return out;
}

/// The name, where memory doesn't hold it yet. Empty if it does.
events decide_name(const member_identity& identity, const memory& held, const inputs& seen, seconds_utc now) {
  const auto& slice = *seen.slice;
  const auto [by, name] = choose_name(held, seen);
  if (by == name_rule::pending)
    return {};
  events out;
  if (by == name_rule::as_is || by == name_rule::kept) {
    const bool knows_all = std::ranges::all_of(seen.hub, [&](const auto& each) {
      return !is_live(held, each) || std::ranges::find(held.hub_uids, each.uid) != held.hub_uids.end();
    });
    if (held.name == name && knows_all)
      return {};
    if (!held.name.empty() && held.name != name)
      out.emplace_back(contradiction{"the slice goes by " + name + " and not by " + held.name});
    out.emplace_back(adoption(held, seen, name));
    return out;
  }
  if (by == name_rule::fresh && !held.name.empty())
    out.emplace_back(contradiction{slice.ours.name ? "the slice's name is invalid or another's: " + *slice.ours.name
                                                   : "the slice lost its name " + held.name});
  // After a withdrawal the export is a new one (C27); otherwise the time survives the name (C49, C64).
  const auto since = by == name_rule::renewed ? now : exported_since(held, seen, keeper(held, seen), now);
  if (held.generation != slice.generation || held.since != since)
    out.emplace_back(generation_seen{slice.generation, since});
  out.emplace_back(name_chosen{unique_name(identity, slice.key, slice.uid, held.names_chosen)});
  return out;
}

events decide_duplicates(const member_identity& identity, const memory& held, const inputs& seen) {
  const auto is_duplicate = [&](const auto& each) { return each.name != held.name && is_live(held, each); };
  const auto duplicate = std::ranges::find_if(seen.hub, is_duplicate);
  if (under_way(held) || duplicate == seen.hub.end() || !is_exported(identity, held, seen))
    return {};
  return {withdrawal_begun{duplicate->name, duplicate->uid, proof::superseded}};
}

events decide_export(const member_identity& identity, const memory& held, const inputs& seen, seconds_utc now) {
  const auto& slice = *seen.slice;
  if (const auto* begun = under_way(held)) {
    if (is_carried_out(*begun, seen))
      return {export_withdrawn{begun->hub_uid}};
    if (begun->why != proof::superseded || begun->name == held.name || !is_exported(identity, held, seen))
      return {withdrawal_cancelled{}};
  }
  if (auto named = decide_name(identity, held, seen, now); !named.empty())
    return named;
  if (!is_apply_due(held, seen)) {
    const auto* object = find_named(seen, held.name);
    const auto since = exported_since(held, seen, object ? object : keeper(held, seen), now);
    if (held.generation != slice.generation || held.since != since)
      return {generation_seen{slice.generation, since}};
  }
  if (held.annotate_owed && is_annotated(held, slice))
    return {annotated{held.generation}};
  return decide_duplicates(identity, held, seen);
}

} // namespace

std::vector<event> decide(const member_identity& identity, const memory& held, const inputs& seen, seconds_utc now) {
  const auto [what, why] = choose_target(identity, held, seen);
  switch (what) {
    case goal::wait:
      return {};
    case goal::ignore:
      return decide_ignored(held, seen);
    case goal::withdraw:
      return decide_withdrawal(held, seen, why);
    case goal::export_it:
      return decide_export(identity, held, seen, now);
  }
  return {};
}

bool quiet(const member_identity& identity, const memory& held, const inputs& seen, seconds_utc now) {
  return !outstanding(identity, held, seen) && decide(identity, held, seen, now).empty();
}

std::vector<event> decide_to_rest(const member_identity& identity, memory held, const inputs& seen, seconds_utc now) {
  constexpr int rounds_max = 16; // as an exporter's
  std::vector<event> out;
  auto told = decide(identity, held, seen, now);
  for (int round = 0; round < rounds_max && !told.empty(); ++round, told = decide(identity, held, seen, now))
    for (auto& each : told) {
      held = evolve(std::move(held), each);
      out.push_back(std::move(each));
    }
  return outstanding(identity, held, seen) ? std::vector<event>{} : out;
}

} // namespace sliceferry::core
