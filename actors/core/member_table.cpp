#include "actors/core/member_table.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::core {

namespace {

/// What a batch could not decode belongs to the list that the batch is part of, wherever that list begins.
template <class Mirror, class T>
void spare_unreadable(Mirror& mirror, const watch_batch<T>& seen) {
  for (const object_key& key : seen.unreadable)
    mirror.spare(key);
}

} // namespace

member_table::member_table(std::shared_ptr<const member_identity> who)
  : who_(std::move(who)), rows_(std::make_shared<record_store>(who_->cluster)), slices_(*who_, rows_),
    hub_(who_, rows_) {}

touched member_table::slices(const watch_batch<endpoint_slice>& seen) {
  touch_list out{decides()};
  spare_unreadable(slices_, seen);
  for (const auto& [change, object] : seen.events) {
    switch (change) {
      case watch_change::init:
        slices_.init();
        spare_unreadable(slices_, seen);
        break;
      case watch_change::applied:
        slices_.applied(object, out);
        break;
      case watch_change::deleted:
        slices_.deleted(object, out);
        break;
      case watch_change::init_done: {
        const bool was_synced = slices_.synced();
        slices_.init_done(object.resource_version, out);
        list_ended(was_synced, out);
        break;
      }
    }
  }
  return out.take();
}

touched member_table::consents(const watch_batch<service_export>& seen) {
  touch_list out{decides()};
  spare_unreadable(consents_, seen);
  for (const auto& [change, object] : seen.events) {
    switch (change) {
      case watch_change::init:
        consents_.init();
        spare_unreadable(consents_, seen);
        break;
      case watch_change::applied:
        if (consents_.applied(object))
          touch_service(object.key, out);
        break;
      case watch_change::deleted:
        if (consents_.deleted(object))
          touch_service(object.key, out);
        break;
      case watch_change::init_done:
        if (!consents_.synced())
          out.add_all();
        for (const object_key& service : consents_.init_done(object.resource_version))
          touch_service(service, out);
        break;
    }
  }
  return out.take();
}

touched member_table::exports(const watch_batch<slice_export>& seen) {
  touch_list out{decides()};
  spare_unreadable(hub_, seen);
  for (const auto& [change, object] : seen.events) {
    switch (change) {
      case watch_change::init:
        hub_.init();
        spare_unreadable(hub_, seen);
        break;
      case watch_change::applied:
        if (hub_.concerns(object))
          take_export(object, out);
        break;
      case watch_change::deleted:
        if (hub_.concerns(object))
          touch_export(hub_.deleted(object), out);
        break;
      case watch_change::init_done: {
        const bool was_synced = hub_.synced();
        for (const hub_change& gone : hub_.init_done(object.resource_version))
          touch_export(gone, out);
        list_ended(was_synced, out);
        break;
      }
    }
  }
  return out.take();
}

answer_effect member_table::answered(const write_answer& answer) {
  touch_list out{answer.slice_uid};
  answer_effect effect;
  effect.end.ticket = answer.ticket;
  effect.end.how = answer.how;
  effect.end.why = answer.why;
  effect.end.read = answer.read;
  take_slice(answer, effect.end, out);
  take_export(answer, effect.end, out);
  effect.others = out.take();
  effect.relist_member = slices_.take_doubt();
  effect.relist_hub = hub_.take_doubt();
  return effect;
}

bool member_table::synced(mirrored collection) const {
  switch (collection) {
    case mirrored::slices:
      return slices_.synced();
    case mirrored::consents:
      return consents_.synced();
    case mirrored::exports:
      return hub_.synced();
  }
  return false;
}

inputs member_table::inputs_of(const std::string& uid) const {
  if (const slice_row* row = slices_.find(uid))
    return picture(*row);
  return picture();
}

inputs member_table::picture() const {
  inputs out;
  out.slices_synced = slices_.synced();
  out.consents_synced = consents_.synced();
  out.hub_synced = hub_.synced();
  out.leaving = leaving_;
  return out;
}

inputs member_table::picture(const slice_row& row) const {
  inputs out = picture();
  out.slice = row.slice;
  out.gone = row.gone;
  out.leftover = row.leftover;
  out.key = row.key;
  if (row.slice && row.slice->service)
    out.says = consents_.at({row.key.nspace, *row.slice->service});
  out.consent_proven = out.consents_synced && out.says == consent::absent;
  out.hub.reserve(row.exports.size());
  for (const held_export& each : row.exports) {
    out.hub.push_back(each.seen);
    out.hub.back().mine = true;
  }
  const auto* const carried = out.slice && out.slice->ours.name ? &*out.slice->ours.name : nullptr;
  if (carried == nullptr || std::ranges::find(out.hub, *carried, &hub_export::name) != out.hub.end())
    return out;
  if (auto held = hub_.find(*carried))
    out.hub.push_back(std::move(held->seen));
  std::ranges::sort(out.hub, {}, &hub_export::name);
  return out;
}

bool member_table::lacks_input(const std::string& uid) const {
  const slice_row* row = slices_.find(uid);
  if (row == nullptr || !row->slice)
    return true;
  if (!row->slice->service)
    return false;
  const auto says = consents_.at({row->key.nspace, *row->slice->service});
  return says == consent::absent || says == consent::deleting;
}

touched member_table::remember(const std::string& uid, const object_key& key, const memory& held) {
  touch_list out{decides()};
  if (!slices_.remember({key, uid}, held, out))
    return {};
  if (const auto found = hub_.find(held.name); found && created(held, found->seen.uid))
    touch_export(hub_.claim(held.name, found->seen.uid, uid), out);
  return out.take();
}

std::optional<memory> member_table::kept(const std::string& uid) const {
  const slice_row* row = slices_.find(uid);
  return row == nullptr || row->awake ? std::nullopt : std::optional{row->kept};
}

memory member_table::wake(const std::string& uid) {
  const slice_row* found = slices_.find(uid);
  if (found == nullptr || found->awake)
    return {};
  memory held = found->kept;
  const auto number = found->number;
  slices_.mark(uid, true, number);
  return held;
}

std::uint64_t member_table::next_number(const std::string& uid) {
  const slice_row* found = slices_.find(uid);
  if (found == nullptr)
    return 0;
  const auto number = found->number + 1;
  const bool awake = found->awake;
  slices_.mark(uid, awake, number);
  return number;
}

bool member_table::retire(const std::string& uid, std::uint64_t last_seen, memory held) {
  const slice_row* found = slices_.find(uid);
  if (found == nullptr)
    return true;
  if (!found->awake || found->number != last_seen)
    return false;
  slices_.update(uid, [&](slice_row& row) {
    row.awake = false;
    row.kept = std::move(held);
  });
  came_to_rest(uid);
  return true;
}

void member_table::adopt(const std::string& uid, memory held) {
  slices_.update(uid, [&](slice_row& row) {
    ++row.number;
    row.kept = std::move(held);
  });
  came_to_rest(uid);
}

void member_table::came_to_rest(const std::string& uid) {
  if (nothing_is_left(uid))
    slices_.drop(uid);
  else
    drop_unfounded(uid);
}

void member_table::died(const std::string& uid) {
  const slice_row* found = slices_.find(uid);
  if (found == nullptr || !found->awake)
    return;
  slices_.update(uid, [](slice_row& row) {
    row.awake = false;
    row.kept = {};
  });
  drop_unfounded(uid);
}

void member_table::take_slice(const write_answer& answer, outcome& end, touch_list& out) {
  if (!answer.slice)
    return;
  slices_.answered(*answer.slice, out);
  const slice_row* row = slices_.find(answer.slice_uid);
  end.slice_answered = answer.slice->uid == answer.slice_uid && row != nullptr && row->slice != nullptr;
}

void member_table::take_export(const write_answer& answer, outcome& end, touch_list& out) {
  const bool elsewhere = answer.read && (!answer.exported || answer.exported->uid != answer.hub_uid);
  // A DELETE is answered with the object only where finalizers still hold it.
  const bool deleted = answer.how == verdict::done && !answer.exported;
  const bool absent = elsewhere || deleted || answer.how == verdict::missing || answer.how == verdict::other_uid ||
                      answer.how == verdict::namespace_missing;
  if (absent && !answer.hub_uid.empty())
    touch_export(hub_.removed(answer.slice_uid, answer.hub_uid), out);
  if (!answer.exported || !hub_.concerns(*answer.exported))
    return;
  const slice_export& seen = *answer.exported;
  touch_export(hub_.answered(seen, owner_is_known(seen.key.name)), out);
  if (answer.how == verdict::done)
    touch_export(hub_.claim(seen.key.name, seen.uid, answer.slice_uid), out);
  end.exported = hub_.reduced(seen, answer.slice_uid);
}

void member_table::take_export(const slice_export& seen, touch_list& out) {
  const auto maker = slices_.remembering(seen.key.name, seen.uid);
  touch_export(hub_.applied(seen, owner_is_known(seen.key.name), maker), out);
}

void member_table::touch_service(const object_key& service, touch_list& out) const {
  if (!out.hears())
    return;
  for (const std::string& uid : slices_.of_service(service))
    out.add(uid);
}

void member_table::touch_export(const hub_change& change, touch_list& out) {
  if (change.what == hub_change::extent::none)
    return;
  // A version alone decides nothing, but the next write of an exporter that is awake is guarded by it.
  const auto touch = [&](const std::string& uid) {
    const slice_row* row = slices_.find(uid);
    if (row != nullptr && (row->awake || change.what == hub_change::extent::content))
      out.add(uid);
  };
  if (const auto held = kept(change.former_owner); held && ended(*held) && nothing_is_left(change.former_owner))
    slices_.drop(
      change.former_owner); // its last exporter said that it is over; no other one would wake to say so again
  if (out.hears()) {
    touch(change.former_owner);
    touch(change.owner);
    for (const std::string& uid : slices_.carrying(change.name))
      touch(uid);
  }
  answer_for(change.name, out);
}

bool member_table::nothing_is_left(const std::string& uid) const {
  const slice_row* row = slices_.find(uid);
  return row != nullptr && row->gone && !row->awake && hub_.synced() && row->exports.empty();
}

bool member_table::owner_is_known(const std::string& name) const {
  const auto at = rows_->export_named(name);
  return at && rows_->look(at->row).recorded;
}

} // namespace sliceferry::core
