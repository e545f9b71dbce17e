#include "actors/core/member_table.hpp"

#include <utility>

namespace sliceferry::core {

std::vector<leftover> member_table::take_leftovers(tick now) {
  std::vector<leftover> out;
  for (const std::string& name : leftovers_.take_due(now, who_->orphan_grace)) {
    const auto held = hub_.find(name);
    if (!held || !is_suspect(*held))
      continue;
    leftovers_.asked(held->seen.uid);
    out.push_back({name, held->seen.uid, held->slice, held->owner});
  }
  return out;
}

std::optional<std::string> member_table::uid_listed(const leftover& suspected) const {
  if (knows(suspected.slice_uid) || slices_.is_unreadable(suspected.slice))
    return suspected.slice_uid;
  return std::nullopt;
}

touched member_table::confirm(const leftover& suspected, const std::optional<std::string>& uid_found) {
  leftovers_.settled(suspected.hub_uid);
  const auto held = hub_.find(suspected.name);
  if (!held || held->seen.uid != suspected.hub_uid || !is_suspect(*held))
    return {};
  if (held->owner != suspected.slice_uid) {
    leftovers_.suspect(suspected.name, suspected.hub_uid);
    return {};
  }
  if (uid_found == suspected.slice_uid) {
    leftovers_.refuted(suspected.name, suspected.hub_uid);
    return {};
  }
  slices_.add_leftover({suspected.slice, suspected.slice_uid});
  return {false, {suspected.slice_uid}};
}

touched member_table::leave(bool on) {
  touch_list out;
  if (std::exchange(leaving_, on) == on)
    return {};
  out.add_all();
  for (const std::string& uid : slices_.assumed()) {
    slices_.update(uid, [&](slice_row& row) { row.gone = row.leftover = on; });
    drop_unfounded(uid);
  }
  if (on)
    answer_for_all(out);
  return out.take();
}

leave_progress member_table::leave_progress() const {
  core::leave_progress out;
  out.leaving = leaving_;
  out.exports = hub_.claimed_count();
  out.annotated = slices_.annotated();
  out.hub_synced = hub_.synced();
  out.done = out.leaving && out.hub_synced && out.exports == 0;
  return out;
}

bool member_table::is_orphan(const hub_record& seen) const {
  return hub_.synced() && !seen.owner.empty() && !knows(seen.owner) && !seen.seen.terminating;
}

bool member_table::is_suspect(const hub_record& seen) const {
  return slices_.synced() && is_orphan(seen);
}

void member_table::answer_for(const std::string& name, touch_list& out) {
  if (!leaving_ && !(slices_.synced() && hub_.synced()))
    return leftovers_.clear(name); // half the picture is missing, and with it every suspicion
  const auto held = hub_.find(name);
  if (held && leaving_ && is_orphan(*held)) {
    slices_.add_leftover({held->slice, held->owner}, true);
    out.add(held->owner);
  } else if (held && is_suspect(*held)) {
    leftovers_.suspect(name, held->seen.uid);
  } else {
    leftovers_.clear(name);
  }
}

void member_table::answer_for_all(touch_list& out) {
  for (const std::string& name : hub_.ownerless())
    answer_for(name, out);
}

void member_table::drop_unfounded(const std::string& uid) {
  const slice_row* row = slices_.find(uid);
  if (row == nullptr || !row->assumed || row->awake || leaving_)
    return;
  slices_.drop(uid);
  touch_list nobody; // there is no record of it to be touched
  for (const std::string& name : hub_.owned_by(uid))
    answer_for(name, nobody);
}

void member_table::list_ended(bool was_synced, touch_list& out) {
  if (!was_synced)
    out.add_all();
  if (leaving_)
    answer_for_all(out);
  if (!slices_.synced() || !hub_.synced())
    return;
  if (was_synced)
    leftovers_.suspect_refuted_again();
  else // Nothing was suspected while half the picture was missing; from here on news alone raises suspicion.
    answer_for_all(out);
}

} // namespace sliceferry::core
