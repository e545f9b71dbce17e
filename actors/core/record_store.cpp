#include "actors/core/record_store.hpp"

#include "actors/core/text_hash.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <string_view>
#include <utility>

namespace sliceferry::core {
namespace {

std::size_t one_if(bool is) {
  return is ? 1 : 0;
}

} // namespace

std::optional<record_store::slot> record_store::of_uid(const std::string& uid) const {
  if (uid.empty())
    return std::nullopt;
  return by_uid_.find(text_hash(uid), [&](slot at) { return look(at).uid == uid; });
}

std::optional<record_store::slot> record_store::at_key(const object_key& key) const {
  return by_key_.find(text_hash(key.nspace, key.name), [&](slot at) { return look(at).key == key; });
}

std::vector<record_store::slot> record_store::of_service(const object_key& service) const {
  auto out = by_service_.all(text_hash(service.nspace, service.name));
  std::erase_if(out, [&](slot at) {
    const auto& row = look(at);
    return row.key.nspace != service.nspace || row.slice->service != service.name;
  });
  return out;
}

std::vector<record_store::slot> record_store::naming(const std::string& name) const {
  auto out = by_name_.all(text_hash(name));
  std::erase_if(out, [&](slot at) {
    const auto& row = look(at);
    return (!row.slice || row.slice->ours.name != name) && row.kept.name != name &&
           std::ranges::none_of(row.exports, [&](const auto& each) { return each.seen.name == name; });
  });
  return out;
}

std::optional<record_store::export_place> record_store::export_named(const std::string& name) const {
  export_place out;
  const auto found = by_name_.find(text_hash(name), [&](slot at) {
    const auto& all = look(at).exports;
    const auto here = std::ranges::find_if(all, [&](const auto& each) { return each.seen.name == name; });
    out = {at, static_cast<std::size_t>(here - all.begin())};
    return here != all.end();
  });
  return found ? std::optional{out} : std::nullopt;
}

const slice_row& record_store::look(slot at) const {
  if (latest_.at != at || !latest_.row)
    load(at);
  return *latest_.row;
}

slice_row record_store::take(slot at) const {
  look(at);
  if (!latest_.traced)
    latest_.traced = trace(*latest_.row);
  return *std::exchange(latest_.row, std::nullopt);
}

void record_store::load(slot at) const {
  latest_.at = at;
  latest_.used.clear();
  latest_.row = codec_.decode(blobs_.at(at), latest_.used);
  latest_.traced.reset();
}

void record_store::save(slot at, slice_row next) {
  if (latest_.at != at)
    load(at);
  const traces before = latest_.traced ? std::move(*latest_.traced) : trace(*latest_.row);
  const auto used = std::move(latest_.used);
  latest_.at.reset();
  write(at, std::move(next), before, used);
}

void record_store::mark(slot at, bool awake, std::uint64_t number) {
  look(at);
  if (!codec_.mark(blobs_.edit(at), awake, number)) {
    slice_row next = take(at);
    next.awake = awake;
    next.number = number;
    return save(at, std::move(next));
  }
  const totals before = counts_of(*latest_.row);
  latest_.row->awake = awake;
  latest_.row->number = number;
  const totals after = counts_of(*latest_.row);
  recount(before, after);
  if (latest_.traced)
    latest_.traced->counts = after;
}

record_store::slot record_store::add(slice_row first) {
  if (free_.empty())
    free_.push_back(end_++);
  const slot at = free_.back();
  free_.pop_back();
  if (!first.uid.empty())
    by_uid_.add(text_hash(first.uid), at);
  write(at, std::move(first), {}, {});
  return at;
}

void record_store::write(slot at, slice_row next, const traces& before, const std::vector<std::uint32_t>& used) {
  latest now;
  traces after;
  const bool is_void = next.is_void();
  if (!is_void) {
    after = trace(next);
    blobs_.put(at, codec_.encode(next, now.used));
  }
  move(by_key_, at, before.key, after.key);
  move(by_service_, at, before.service, after.service);
  if (before.names != after.names)
    rename(at, before.names, after.names);
  recount(before.counts, after.counts);
  for (const auto id : used)
    pool_.release(id);
  if (is_void) {
    if (!next.uid.empty())
      by_uid_.remove(text_hash(next.uid), at);
    remove(at);
  } else {
    now.at = at;
    now.row = std::move(next);
    now.traced = std::move(after);
  }
  latest_ = std::move(now);
}

void record_store::rename(slot at, const std::vector<std::uint32_t>& from, const std::vector<std::uint32_t>& to) {
  std::vector<std::uint32_t> only;
  std::ranges::set_difference(from, to, std::back_inserter(only));
  for (const auto hash : only)
    by_name_.remove(hash, at);
  only.clear();
  std::ranges::set_difference(to, from, std::back_inserter(only));
  for (const auto hash : only)
    by_name_.add(hash, at);
}

void record_store::remove(slot at) {
  blobs_.erase(at);
  free_.push_back(at);
  if (free_.size() < end_)
    return;
  free_ = {};
  end_ = 0;
}

void record_store::move(slot_index& index, slot at, std::optional<std::uint32_t> from,
                        std::optional<std::uint32_t> to) {
  if (from == to)
    return;
  if (from)
    index.remove(*from, at);
  if (to)
    index.add(*to, at);
}

record_store::traces record_store::trace(const slice_row& row) {
  traces out;
  const auto* const slice = row.slice.get();
  if (slice != nullptr) {
    assert(slice->key == row.key && slice->uid == row.uid);
    out.key = text_hash(row.key.nspace, row.key.name);
    if (slice->service && !slice->service->empty())
      out.service = text_hash(row.key.nspace, *slice->service);
    if (slice->ours.name && !slice->ours.name->empty())
      out.names.push_back(text_hash(*slice->ours.name));
  }
  if (!row.kept.name.empty() && (slice == nullptr || slice->ours.name != row.kept.name))
    out.names.push_back(text_hash(row.kept.name));
  for (const auto& each : row.exports)
    if (slice == nullptr || slice->ours.name != each.seen.name)
      out.names.push_back(text_hash(each.seen.name));
  std::ranges::sort(out.names);
  out.names.erase(std::unique(out.names.begin(), out.names.end()), out.names.end());
  out.counts = counts_of(row);
  return out;
}

record_store::totals record_store::counts_of(const slice_row& row) {
  const auto* const slice = row.slice.get();
  const bool holds_export = !row.kept.over && !row.kept.hub_uids.empty();
  return {one_if(row.recorded),
          one_if(row.awake),
          one_if(slice != nullptr),
          one_if(slice != nullptr && !slice->ours.empty()),
          one_if(row.recorded && !row.awake && holds_export),
          row.exports.size(),
          row.uid.empty() ? 0 : row.exports.size()};
}

void record_store::recount(const totals& before, const totals& after) {
  const auto count = [&](std::size_t totals::*which) { totals_.*which += after.*which - before.*which; };
  for (const auto which : {&totals::recorded, &totals::awake, &totals::present, &totals::annotated, &totals::resting,
                           &totals::exports, &totals::claimed})
    count(which);
}

} // namespace sliceferry::core
