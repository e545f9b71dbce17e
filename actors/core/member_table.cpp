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
  : who_(std::move(who)), slices_(*who_), hub_(who_) {}

touched member_table::slices(const watch_batch<endpoint_slice>& seen) {
  touch_list out;
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
  touch_list out;
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
  touch_list out;
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
  inputs out;
  out.slices_synced = slices_.synced();
  out.consents_synced = consents_.synced();
  out.hub_synced = hub_.synced();
  out.leaving = leaving_;
  const slice_record* record = slices_.find(uid);
  if (record == nullptr)
    return out;
  out.slice = record->slice;
  out.gone = record->gone;
  out.leftover = record->leftover;
  out.key = record->key;
  if (record->slice && record->slice->service)
    out.says = consents_.at({record->key.nspace, *record->slice->service});
  out.consent_proven = out.consents_synced && out.says == consent::absent;

  const auto show = [&](const std::string& name) {
    const hub_record* held = hub_.find(name);
    if (held == nullptr)
      return;
    out.hub.push_back(held->seen);
    out.hub.back().mine = held->owner == uid;
  };
  const auto& own = hub_.owned_by(uid);
  for (const std::string& name : own)
    show(name);
  if (record->slice && record->slice->ours.name && own.count(*record->slice->ours.name) == 0)
    show(*record->slice->ours.name);
  std::sort(out.hub.begin(), out.hub.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

bool member_table::lacks_input(const std::string& uid) const {
  const slice_record* record = slices_.find(uid);
  if (record == nullptr || !record->slice)
    return true;
  if (!record->slice->service)
    return false;
  const auto says = consents_.at({record->key.nspace, *record->slice->service});
  return says == consent::absent || says == consent::deleting;
}

touched member_table::remember(const std::string& uid, const object_key& key, const memory& held) {
  touch_list out;
  if (!slices_.remember({key, uid}, held, out))
    return {};
  if (const hub_record* found = hub_.find(held.name); found != nullptr && created(held, found->seen.uid))
    touch_export(hub_.claim(held.name, found->seen.uid, uid), out);
  if (hub_.synced())
    slices_.forget_names();
  return out.take();
}

std::optional<memory> member_table::kept(const std::string& uid) const {
  const slice_record* record = slices_.find(uid);
  return record == nullptr || record->awake ? std::nullopt : std::optional{record->kept};
}

memory member_table::wake(const std::string& uid) {
  slice_record* record = slices_.find(uid);
  if (record == nullptr || record->awake)
    return {};
  record->awake = true;
  ++awake_;
  return record->kept;
}

std::uint64_t member_table::next_number(const std::string& uid) {
  slice_record* record = slices_.find(uid);
  return record == nullptr ? 0 : ++record->number;
}

bool member_table::retire(const std::string& uid, std::uint64_t last_seen, memory held) {
  slice_record* record = slices_.find(uid);
  if (record == nullptr)
    return true;
  if (!record->awake || record->number != last_seen)
    return false;
  record->awake = false;
  --awake_;
  record->kept = std::move(held);
  if (nothing_is_left(uid))
    slices_.drop(uid);
  else
    drop_unfounded(uid);
  return true;
}

void member_table::died(const std::string& uid) {
  slice_record* record = slices_.find(uid);
  if (record == nullptr || !record->awake)
    return;
  record->awake = false;
  record->kept = {};
  --awake_;
  drop_unfounded(uid);
}

void member_table::take_slice(const write_answer& answer, outcome& end, touch_list& out) {
  if (!answer.slice)
    return;
  slices_.answered(*answer.slice, out);
  const slice_record* record = slices_.find(answer.slice_uid);
  end.slice_answered = answer.slice->uid == answer.slice_uid && record != nullptr && record->slice != nullptr;
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
  touch_export(hub_.applied(seen, owner_is_known(seen.key.name)), out);
  if (const std::string* maker = slices_.remembering(seen.key.name, seen.uid))
    touch_export(hub_.claim(seen.key.name, seen.uid, *maker), out);
}

void member_table::touch_service(const object_key& service, touch_list& out) const {
  for (const std::string& uid : slices_.of_service(service))
    out.add(uid);
}

void member_table::touch_export(const hub_change& change, touch_list& out) {
  if (change.what == hub_change::extent::none)
    return;
  // A version alone decides nothing, but the next write of an exporter that is awake is guarded by it.
  const auto touch = [&](const std::string& uid) {
    const slice_record* record = slices_.find(uid);
    if (record != nullptr && (record->awake || change.what == hub_change::extent::content))
      out.add(uid);
  };
  if (const auto held = kept(change.former_owner); held && ended(*held) && nothing_is_left(change.former_owner))
    slices_.drop(
      change.former_owner); // its last exporter said that it is over; no other one would wake to say so again
  touch(change.former_owner);
  touch(change.owner);
  for (const std::string& uid : slices_.carrying(change.name))
    touch(uid);
  answer_for(change.name, out);
}

bool member_table::nothing_is_left(const std::string& uid) const {
  const slice_record* record = slices_.find(uid);
  return record != nullptr && record->gone && !record->awake && hub_.synced() && hub_.owned_by(uid).empty();
}

bool member_table::owner_is_known(const std::string& name) const {
  const hub_record* held = hub_.find(name);
  return held != nullptr && knows(held->owner);
}

} // namespace sliceferry::core
