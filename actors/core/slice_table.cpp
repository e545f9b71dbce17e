#include "actors/core/slice_table.hpp"

#include <memory>
#include <utility>

namespace sliceferry::core {

void slice_table::init_done(const std::string& resource_version, touch_list& out) {
  unreadable_.init_done();
  for (const sighting& absent : present_.init_done(resource_version))
    lose(absent.uid, out);
}

void slice_table::applied(const endpoint_slice& seen, touch_list& out) {
  unreadable_.remove(seen.key);
  put(seen, present_.applied({seen.key, seen.uid}, seen.resource_version), out);
}

void slice_table::deleted(const endpoint_slice& last, touch_list& out) {
  unreadable_.remove(last.key);
  if (present_.deleted({last.key, last.uid}, last.resource_version))
    lose(last.uid, out);
}

void slice_table::answered(const endpoint_slice& seen, touch_list& out) {
  if (present_.uid_at(seen.key) != nullptr)
    put(seen, present_.answered({seen.key, seen.uid}, seen.resource_version), out);
}

void slice_table::add_leftover(const sighting& who, bool assumed) {
  slice_record& record = records_[who.uid];
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
  slice_record& record = records_[seen.uid];
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
  slice_record* record = find(uid);
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
