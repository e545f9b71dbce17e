#include "actors/core/slice_table.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace sliceferry::core {

void slice_table::init_done(const std::string& resource_version, touch_list& out) {
  const bool ends = present_.is_listing();
  unreadable_.init_done();
  for (const sighting& absent : present_.init_done(resource_version))
    lose(absent.uid, out);
  if (ends)
    conclude_remembered(out);
}

void slice_table::applied(const endpoint_slice& seen, touch_list& out) {
  unreadable_.remove(seen.key);
  put(seen, present_.applied({seen.key, seen.uid}, seen.resource_version), out);
}

void slice_table::deleted(const endpoint_slice& last, touch_list& out) {
  unreadable_.remove(last.key);
  if (present_.deleted({last.key, last.uid}, last.resource_version) || waiting_.contains(last.uid))
    lose(last.uid, out);
}

void slice_table::answered(const endpoint_slice& seen, touch_list& out) {
  if (present_.uid_at(seen.key) != nullptr)
    put(seen, present_.answered({seen.key, seen.uid}, seen.resource_version), out);
}

bool slice_table::remember(const sighting& who, const memory& held, touch_list& out) {
  if (held == memory{} || ended(held) || waiting_.contains(who.uid))
    return false;
  if (slice_record* record = find(who.uid)) {
    if (record->awake || record->kept != memory{})
      return false;
    record->kept = held;
    out.add(who.uid);
  } else {
    record = &waiting_[who.uid];
    record->key = who.key;
    record->kept = held;
    if (synced() && !is_unreadable(who.key))
      lose(who.uid, out);
  }
  by_remembered_.add(held.name, who.uid);
  return true;
}

const std::string* slice_table::remembering(const std::string& name, const std::string& hub_uid) const {
  for (const std::string& uid : by_remembered_.of(name)) {
    const slice_record* record = find(uid);
    if (const auto waiting = waiting_.find(uid); waiting != waiting_.end())
      record = &waiting->second;
    if (record != nullptr && created(record->kept, hub_uid))
      return &uid;
  }
  return nullptr;
}

void slice_table::conclude_remembered(touch_list& out) {
  std::vector<std::string> gone;
  for (const auto& [uid, record] : waiting_)
    if (!is_unreadable(record.key))
      gone.push_back(uid);
  std::ranges::sort(gone);
  for (const std::string& uid : gone)
    lose(uid, out);
}

slice_record& slice_table::record_of(const std::string& uid) {
  if (auto waiting = waiting_.extract(uid))
    return records_.insert(std::move(waiting)).position->second;
  return records_[uid];
}

void slice_table::add_leftover(const sighting& who, bool assumed) {
  slice_record& record = record_of(who.uid);
  record.key = who.key;
  record.gone = true;
  record.leftover = true;
  record.assumed = assumed;
}

const slice_record* slice_table::find(const std::string& uid) const {
  const auto at = records_.find(uid);
  return at == records_.end() ? nullptr : &at->second;
}

slice_record* slice_table::find(const std::string& uid) {
  const auto at = records_.find(uid);
  return at == records_.end() ? nullptr : &at->second;
}

std::vector<std::string> slice_table::uids() const {
  std::vector<std::string> all;
  all.reserve(records_.size());
  for (const auto& [uid, record] : records_)
    all.push_back(uid);
  return all;
}

std::vector<std::string> slice_table::assumed() const {
  std::vector<std::string> out;
  for (const auto& [uid, record] : records_)
    if (record.assumed)
      out.push_back(uid);
  return out;
}

void slice_table::put(const endpoint_slice& seen, const admission& how, touch_list& out) {
  if (!how.taken)
    return;
  if (!how.displaced.empty())
    lose(how.displaced, out);
  slice_record& record = record_of(seen.uid);
  auto next = std::make_shared<endpoint_slice>(seen);
  if (!keeps_fallback_)
    next->fallback.clear();
  bool changed = true;
  if (record.slice) {
    // Compared as a whole but for the version, so that no field added later can be forgotten.
    next->resource_version = record.slice->resource_version;
    changed = *next != *record.slice;
    next->resource_version = seen.resource_version;
    if (changed)
      unindex(*record.slice);
  }
  const bool moved = !record.slice || record.slice->resource_version != seen.resource_version;
  if (changed)
    index(seen);
  record.key = seen.key;
  record.slice = std::move(next);
  record.gone = false;
  record.leftover = record.assumed = false;
  if (changed || (moved && (every_version_counts_ || record.awake)))
    out.add(seen.uid);
}

void slice_table::lose(const std::string& uid, touch_list& out) {
  slice_record* record = waiting_.contains(uid) ? &record_of(uid) : find(uid);
  if (record == nullptr || record->gone)
    return;
  if (record->slice)
    unindex(*record->slice);
  record->slice.reset();
  record->gone = true;
  out.add(uid);
}

void slice_table::index(const endpoint_slice& slice) {
  if (slice.service && !slice.service->empty())
    by_service_.add({slice.key.nspace, *slice.service}, slice.uid);
  if (slice.ours.name && !slice.ours.name->empty())
    by_name_.add(*slice.ours.name, slice.uid);
  annotated_ += slice.ours.empty() ? 0 : 1;
}

void slice_table::unindex(const endpoint_slice& slice) {
  if (slice.service && !slice.service->empty())
    by_service_.remove({slice.key.nspace, *slice.service}, slice.uid);
  if (slice.ours.name && !slice.ours.name->empty())
    by_name_.remove(*slice.ours.name, slice.uid);
  annotated_ -= slice.ours.empty() ? 0 : 1;
}

} // namespace sliceferry::core
