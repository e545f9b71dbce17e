#include "actors/core/slice_table.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::core {

void slice_table::spare(const object_key& key) {
  unreadable_.add(key);
  const auto at = rows_->at_key(key);
  if (!at)
    return;
  hearing heard = rows_->look(*at).heard;
  news_.spare(heard);
  hear(*at, heard);
}

void slice_table::init_done(const std::string& resource_version, touch_list& out) {
  unreadable_.init_done();
  if (!news_.init_done(resource_version))
    return;
  std::vector<sighting> absent, never_seen;
  for (record_store::slot at = 0; at < rows_->end(); ++at) {
    if (!rows_->holds(at))
      continue;
    const row_head head = rows_->peek(at);
    if (head.has_slice && news_.is_absent(head.heard).value_or(true) && news_.is_absent(*held_at(at)))
      absent.push_back({rows_->look(at).key, rows_->look(at).uid});
    else if (head.waiting && !is_unreadable(rows_->look(at).key))
      never_seen.push_back({rows_->look(at).key, rows_->look(at).uid});
  }
  for (auto* const those : {&absent, &never_seen}) {
    std::ranges::sort(*those);
    for (const sighting& who : *those)
      lose(who.uid, out);
  }
}

void slice_table::applied(const endpoint_slice& seen, touch_list& out) {
  if (seen.uid.empty())
    return spare(seen.key); // It can't be told from another.
  unreadable_.remove(seen.key);
  take(seen, false, out);
}

void slice_table::deleted(const endpoint_slice& last, touch_list& out) {
  unreadable_.remove(last.key);
  const auto at = rows_->at_key(last.key);
  auto held = at ? held_at(*at) : std::nullopt;
  const auto of_uid = rows_->of_uid(last.uid);
  if (news_.deleted(held, last.uid, last.resource_version) || (of_uid && rows_->look(*of_uid).waiting))
    lose(last.uid, out);
}

void slice_table::answered(const endpoint_slice& seen, touch_list& out) {
  if (!seen.uid.empty() && rows_->at_key(seen.key))
    take(seen, true, out);
}

bool slice_table::remember(const sighting& who, const memory& held, touch_list& out) {
  if (who.uid.empty() || held == memory{} || ended(held))
    return false;
  const auto at = rows_->of_uid(who.uid);
  slice_row row;
  row.uid = who.uid;
  if (at)
    row = rows_->look(*at);
  if (row.waiting || row.awake || row.number != 0 || row.kept != memory{})
    return false;
  row.kept = held;
  const bool was_known = row.recorded;
  if (!was_known) {
    row.waiting = true;
    row.key = who.key;
  }
  store(at, std::move(row));
  if (was_known)
    out.add(who.uid);
  else if (synced() && !is_unreadable(who.key))
    lose(who.uid, out);
  return true;
}

std::string slice_table::remembering(const std::string& name, const std::string& hub_uid) const {
  for (const auto at : rows_->naming(name))
    if (const auto& row = rows_->look(at); row.kept.name == name && created(row.kept, hub_uid))
      return row.uid;
  return {};
}

void slice_table::add_leftover(const sighting& who, bool assumed) {
  const auto at = rows_->of_uid(who.uid);
  slice_row row;
  row.uid = who.uid;
  if (at)
    row = rows_->take(*at);
  row.recorded = true;
  row.waiting = false;
  row.key = who.key;
  row.gone = row.leftover = true;
  row.assumed = assumed;
  store(at, std::move(row));
}

void slice_table::drop(const std::string& uid) {
  update(uid, [](slice_row& row) {
    slice_row left;
    left.uid = std::move(row.uid);
    left.exports = std::move(row.exports);
    row = std::move(left);
  });
}

const slice_row* slice_table::find(const std::string& uid) const {
  const auto at = rows_->of_uid(uid);
  const slice_row* row = at ? &rows_->look(*at) : nullptr;
  return row != nullptr && row->recorded ? row : nullptr;
}

std::vector<std::string> slice_table::uids() const {
  std::vector<std::string> all;
  all.reserve(size());
  for (record_store::slot at = 0; at < rows_->end(); ++at)
    if (rows_->holds(at) && rows_->peek(at).recorded)
      all.push_back(rows_->uid_of(at));
  return all;
}

std::vector<std::string> slice_table::assumed() const {
  std::vector<std::string> out;
  for (record_store::slot at = 0; at < rows_->end(); ++at)
    if (rows_->holds(at) && rows_->peek(at).assumed)
      out.push_back(rows_->uid_of(at));
  return out;
}

std::vector<std::string> slice_table::of_service(const object_key& service) const {
  std::vector<std::string> out;
  for (const auto at : rows_->of_service(service))
    out.push_back(rows_->look(at).uid);
  std::ranges::sort(out);
  return out;
}

std::vector<std::string> slice_table::carrying(const std::string& name) const {
  std::vector<std::string> out;
  for (const auto at : rows_->naming(name))
    if (const auto& row = rows_->look(at); row.slice && row.slice->ours.name == name)
      out.push_back(row.uid);
  std::ranges::sort(out);
  return out;
}

void slice_table::take(const endpoint_slice& seen, bool is_answer, touch_list& out) {
  const auto at = rows_->at_key(seen.key);
  auto held = at ? held_at(*at) : std::nullopt;
  const hearing before = held ? held->heard : hearing{};
  const admission how = is_answer ? news_.answered(held, seen.uid, seen.resource_version)
                                  : news_.applied(held, seen.uid, seen.resource_version);
  if (!how.taken) {
    if (at && held->heard != before)
      hear(*at, held->heard);
    return;
  }
  if (!how.displaced.empty())
    lose(how.displaced, out);
  put(seen, held->heard, out);
}

void slice_table::put(const endpoint_slice& seen, const hearing& heard, touch_list& out) {
  const auto at = rows_->of_uid(seen.uid);
  slice_row row;
  row.uid = seen.uid;
  if (at)
    row = rows_->take(*at);
  const bool moved = !row.slice || row.slice->resource_version != seen.resource_version;
  bool changed = true;
  const auto before = std::move(row.slice);
  if (!out.hears() && (keeps_fallback_ || seen.fallback.empty())) {
    // Of the many of a first list none is looked at again soon: packed as it is, without a copy.
    row.slice = std::shared_ptr<const endpoint_slice>(std::shared_ptr<void>(), &seen);
  } else {
    auto next = std::make_shared<endpoint_slice>(seen);
    if (!keeps_fallback_)
      next->fallback.clear();
    if (before) {
      // Compared as a whole but for the version, so that no field added later can be forgotten.
      next->resource_version = before->resource_version;
      changed = *next != *before;
      next->resource_version = seen.resource_version;
    }
    row.slice = std::move(next);
  }
  row.recorded = true;
  row.waiting = row.gone = row.leftover = row.assumed = false;
  row.key = seen.key;
  row.heard = heard;
  const bool awake = row.awake;
  const bool is_lent = row.slice.use_count() == 0;
  store(at, std::move(row));
  if (is_lent)
    rows_->forget_latest();
  if (changed || (moved && (every_version_counts_ || awake)))
    out.add(seen.uid);
}

void slice_table::lose(const std::string& uid, touch_list& out) {
  const auto at = rows_->of_uid(uid);
  if (!at || rows_->look(*at).gone)
    return;
  slice_row row = rows_->take(*at);
  row.recorded = row.gone = true;
  row.waiting = false;
  row.slice.reset();
  row.heard = {};
  rows_->save(*at, std::move(row));
  out.add(uid);
}

std::optional<holding> slice_table::held_at(record_store::slot at) const {
  const slice_row& row = rows_->look(at);
  return holding{row.uid, row.slice->resource_version, row.heard};
}

void slice_table::hear(record_store::slot at, const hearing& heard) {
  if (rows_->look(at).heard == heard)
    return;
  slice_row row = rows_->take(at);
  row.heard = heard;
  rows_->save(at, std::move(row));
}

void slice_table::store(std::optional<record_store::slot> at, slice_row row) {
  if (at)
    rows_->save(*at, std::move(row));
  else
    rows_->add(std::move(row));
}

} // namespace sliceferry::core
