#include "actors/core/shadow_run.hpp"

#include "actors/core/decide.hpp"
#include "actors/core/evolve.hpp"
#include "actors/core/outstanding.hpp"
#include "messages/overloaded.hpp"
#include "messages/rfc3339.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::core {

namespace {

// One slice owes no more than two member writes, an export and the deletes of its others.
constexpr int steps_max = 1000;
constexpr int decisions_max = 100;

/// What the clusters show once the slice carries these annotations.
void annotate(inputs& seen, slice_annotations ours) {
  endpoint_slice next = *seen.slice;
  next.ours = std::move(ours);
  seen.slice = std::make_shared<const endpoint_slice>(std::move(next));
}

void apply(shadow_run& run, const apply_export& what, seconds_utc now) {
  auto at = std::ranges::find(run.seen.hub, what.name, &hub_export::name);
  if (at == run.seen.hub.end()) {
    at = run.seen.hub.insert(at, hub_export{});
    at->name = what.name;
    at->uid = "made by no one";
    at->created = now;
    at->mine = true;
  }
  at->generation = what.spec->reference.generation;
  at->since = what.spec->reference.exported_since;
  at->digest = what.digest;
  run.held = evolve(std::move(run.held), export_applied{what.name, at->uid, what.digest, what.digest});
}

void carry_out(shadow_run& run, const command& what, seconds_utc now) {
  std::visit(overloaded{
               [&](const annotate_slice& x) {
                 annotate(run.seen, {x.name, std::to_string(x.generation), format_rfc3339(x.since)});
               },
               [&](const clear_annotations&) { annotate(run.seen, {}); },
               [&](const apply_export& x) { apply(run, x, now); },
               [&](const withdraw_export& x) {
                 std::erase_if(run.seen.hub, [&](const auto& each) { return each.uid == x.hub_uid; });
               },
             },
             what);
}

/// True if a new name was chosen.
bool decide_all(const member_identity& identity, shadow_run& run, seconds_utc now) {
  bool renames = false;
  for (int count = 0; count < decisions_max; ++count) {
    const auto events = decide(identity, run.held, run.seen, now);
    if (events.empty())
      break;
    for (const auto& told : events) {
      const auto* seen = std::get_if<generation_seen>(&told);
      run.dates_anew = run.dates_anew || (seen && seen->since == now);
      renames = renames || std::holds_alternative<name_chosen>(told);
      run.held = evolve(std::move(run.held), told);
    }
  }
  return renames;
}

} // namespace

shadow_run run_shadow(const member_identity& identity, inputs seen, seconds_utc now) {
  shadow_run run;
  run.seen = std::move(seen);
  for (int count = 0; count < steps_max; ++count) {
    const bool renames = decide_all(identity, run, now);
    auto owed = outstanding(identity, run.held, run.seen);
    if (!owed)
      break;
    run.steps.push_back({*owed, run.held, run.seen, renames});
    carry_out(run, *owed, now);
  }
  return run;
}

} // namespace sliceferry::core
