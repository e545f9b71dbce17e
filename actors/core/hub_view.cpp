#include "actors/core/hub_view.hpp"

#include "actors/core/equivalent.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::core {

void hub_view::spare(const object_key& key) {
  const auto at = key.nspace == who_->hub_nspace ? rows_->export_named(key.name) : std::nullopt;
  if (!at)
    return;
  hearing heard = rows_->look(at->row).exports[at->index].heard;
  news_.spare(heard);
  hear(*at, heard);
}

std::vector<hub_change> hub_view::init_done(const std::string& resource_version) {
  if (!news_.init_done(resource_version))
    return {};
  std::vector<std::string> absent;
  std::vector<hearing> heard;
  for (record_store::slot row = 0; row < rows_->end(); ++row) {
    heard.clear();
    if (rows_->holds(row))
      rows_->peek(row, &heard);
    for (std::size_t i = 0; i < heard.size(); ++i)
      if (news_.is_absent(heard[i]).value_or(true) && news_.is_absent(*held_at(place{row, i})))
        absent.push_back(rows_->look(row).exports[i].seen.name);
  }
  std::ranges::sort(absent);
  std::vector<hub_change> changes;
  for (const std::string& name : absent)
    changes.push_back(remove(*rows_->export_named(name)));
  return changes;
}

hub_change hub_view::applied(const slice_export& seen, bool owner_is_known, const std::string& maker) {
  return take(seen, false, {owner_is_known, maker});
}

hub_change hub_view::answered(const slice_export& seen, bool owner_is_known) {
  static const std::string nobody;
  return take(seen, true, {owner_is_known, nobody});
}

hub_change hub_view::claim(const std::string& name, const std::string& hub_uid, const std::string& slice_uid) {
  const auto at = rows_->export_named(name);
  if (!at)
    return {};
  const slice_row& row = rows_->look(at->row);
  held_export next = row.exports[at->index];
  if (next.seen.uid != hub_uid || next.created)
    return {};
  hub_change change{name, hub_change::extent::none, row.uid, slice_uid};
  if (change.former_owner != slice_uid)
    change.what = hub_change::extent::content;
  next.created = true;
  store(at, std::move(next), slice_uid);
  return change;
}

hub_change hub_view::deleted(const slice_export& last) {
  const auto at = rows_->export_named(last.key.name);
  auto held = held_at(at);
  return news_.deleted(held, last.uid, last.resource_version) ? remove(*at) : hub_change{};
}

hub_change hub_view::removed(const std::string& slice_uid, const std::string& hub_uid) {
  const auto at = rows_->of_uid(slice_uid);
  if (!at)
    return {};
  const auto& all = rows_->look(*at).exports;
  const auto found = std::ranges::find_if(all, [&](const auto& each) { return each.seen.uid == hub_uid; });
  if (found == all.end())
    return {};
  news_.removed(hub_uid);
  return remove({*at, static_cast<std::size_t>(found - all.begin())});
}

std::optional<hub_record> hub_view::find(const std::string& name) const {
  const auto at = rows_->export_named(name);
  if (!at)
    return std::nullopt;
  const slice_row& row = rows_->look(at->row);
  const held_export& held = row.exports[at->index];
  return hub_record{held.seen, row.uid, held.created, held.slice};
}

std::vector<std::string> hub_view::owned_by(const std::string& slice_uid) const {
  std::vector<std::string> names;
  if (const auto at = rows_->of_uid(slice_uid))
    for (const auto& each : rows_->look(*at).exports)
      names.push_back(each.seen.name);
  return names;
}

std::vector<std::string> hub_view::ownerless() const {
  std::vector<std::string> names;
  for (record_store::slot at = 0; at < rows_->end(); ++at) {
    if (!rows_->holds(at))
      continue;
    if (const auto head = rows_->peek(at); head.recorded || head.exports == 0)
      continue;
    if (const slice_row& row = rows_->look(at); !row.uid.empty())
      for (const auto& each : row.exports)
        names.push_back(each.seen.name);
  }
  return names;
}

hub_export hub_view::reduced(const slice_export& seen, const std::string& slice_uid) const {
  const auto held = find(seen.key.name);
  const std::string& owner = held && held->seen.uid == seen.uid ? held->owner : referenced(seen);
  hub_export out = reduced(seen);
  out.mine = !slice_uid.empty() && owner == slice_uid;
  return out;
}

hub_change hub_view::take(const slice_export& seen, bool is_answer, const claimant& whose) {
  const auto at = rows_->export_named(seen.key.name);
  auto held = held_at(at);
  const hearing before = held ? held->heard : hearing{};
  const admission how = is_answer ? news_.answered(held, seen.uid, seen.resource_version)
                                  : news_.applied(held, seen.uid, seen.resource_version);
  if (how.taken)
    return put(seen, at, held->heard, whose);
  if (at && held->heard != before)
    hear(*at, held->heard);
  return whose.maker.empty() ? hub_change{} : claim(seen.key.name, seen.uid, whose.maker);
}

hub_change hub_view::put(const slice_export& seen, const std::optional<place>& at, const hearing& heard,
                         const claimant& whose) {
  hub_change change{seen.key.name, hub_change::extent::content, {}, {}};
  held_export held;
  if (at) {
    const slice_row& row = rows_->look(at->row);
    held = row.exports[at->index];
    change.former_owner = row.uid;
  }
  const bool same_object = held.seen.uid == seen.uid;
  held.created = held.created && same_object;
  const bool claim_holds = same_object && !change.former_owner.empty() && (held.created || whose.owner_is_known);
  change.owner = claim_holds ? change.former_owner : referenced(seen);
  if (!held.created && !whose.maker.empty()) {
    held.created = true;
    change.owner = whose.maker;
  }

  hub_export next = reduced(seen);
  next.resource_version = held.seen.resource_version;
  if (next == held.seen && change.owner == change.former_owner)
    change.what =
      next.resource_version == seen.resource_version ? hub_change::extent::none : hub_change::extent::version;
  next.resource_version = seen.resource_version;
  held.seen = std::move(next);
  held.slice = seen.spec.reference.slice;
  held.heard = heard;
  store(at, std::move(held), change.owner);
  return change;
}

hub_change hub_view::remove(const place& at) {
  slice_row row = rows_->take(at.row);
  const auto which = row.exports.begin() + static_cast<std::ptrdiff_t>(at.index);
  hub_change change{which->seen.name, hub_change::extent::content, row.uid, {}};
  row.exports.erase(which);
  rows_->save(at.row, std::move(row));
  return change;
}

void hub_view::hear(const place& at, const hearing& heard) {
  if (rows_->look(at.row).exports[at.index].heard == heard)
    return;
  slice_row row = rows_->take(at.row);
  row.exports[at.index].heard = heard;
  rows_->save(at.row, std::move(row));
}

void hub_view::store(const std::optional<place>& at, held_export next, const std::string& owner) {
  if (at && rows_->look(at->row).uid == owner) {
    slice_row row = rows_->take(at->row);
    row.exports[at->index] = std::move(next);
    return rows_->save(at->row, std::move(row));
  }
  if (at)
    remove(*at);
  const auto home = rows_->of_uid(owner);
  slice_row row;
  row.uid = owner;
  if (home)
    row = rows_->take(*home);
  const auto name = [](const held_export& each) -> const std::string& { return each.seen.name; };
  row.exports.insert(std::ranges::upper_bound(row.exports, next.seen.name, {}, name), std::move(next));
  if (home)
    rows_->save(*home, std::move(row));
  else
    rows_->add(std::move(row));
}

std::optional<holding> hub_view::held_at(const std::optional<place>& at) const {
  if (!at)
    return std::nullopt;
  const auto& [seen, created, slice, heard] = rows_->look(at->row).exports[at->index];
  return holding{seen.uid, seen.resource_version, heard};
}

const std::string& hub_view::referenced(const slice_export& seen) const {
  static const std::string nobody;
  const slice_reference& reference = seen.spec.reference;
  return reference.cluster == who_->cluster ? reference.uid : nobody;
}

hub_export hub_view::reduced(const slice_export& seen) const {
  return {.name = seen.key.name,
          .uid = seen.uid,
          .resource_version = seen.resource_version,
          .created = seen.created,
          .generation = seen.spec.reference.generation,
          .since = seen.spec.reference.exported_since,
          .digest = digest(seen.spec, who_->refresh_resource_version_always),
          .terminating = seen.terminating};
}

} // namespace sliceferry::core
