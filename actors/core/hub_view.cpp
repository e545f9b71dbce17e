#include "actors/core/hub_view.hpp"

#include "actors/core/equivalent.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::core {

std::vector<hub_change> hub_view::init_done(const std::string& resource_version) {
  std::vector<hub_change> changes;
  for (const sighting& absent : present_.init_done(resource_version))
    changes.push_back(remove(absent.key.name));
  return changes;
}

hub_change hub_view::applied(const slice_export& seen, bool owner_is_known) {
  return put(seen, present_.applied({seen.key, seen.uid}, seen.resource_version), owner_is_known);
}

hub_change hub_view::answered(const slice_export& seen, bool owner_is_known) {
  return put(seen, present_.answered({seen.key, seen.uid}, seen.resource_version), owner_is_known);
}

hub_change hub_view::claim(const std::string& name, const std::string& hub_uid, const std::string& slice_uid) {
  const auto at = records_.find(name);
  if (at == records_.end() || at->second.seen.uid != hub_uid || at->second.created)
    return {};
  hub_record& record = at->second;
  hub_change change{name, hub_change::extent::none, record.owner, slice_uid};
  if (record.owner != slice_uid)
    change.what = hub_change::extent::content;
  own(name, record, slice_uid);
  record.created = true;
  return change;
}

hub_change hub_view::deleted(const slice_export& last) {
  if (!present_.deleted({last.key, last.uid}, last.resource_version))
    return {};
  return remove(last.key.name);
}

hub_change hub_view::removed(const std::string& slice_uid, const std::string& hub_uid) {
  for (const std::string& name : owned_.of(slice_uid)) {
    if (records_.at(name).seen.uid != hub_uid)
      continue;
    present_.removed({{who_->hub_nspace, name}, hub_uid});
    return remove(std::string{name});
  }
  return {};
}

const hub_record* hub_view::find(const std::string& name) const {
  const auto at = records_.find(name);
  return at == records_.end() ? nullptr : &at->second;
}

std::vector<std::string> hub_view::claimed() const {
  std::vector<std::string> names;
  for (const auto& [name, record] : records_) {
    if (!record.owner.empty())
      names.push_back(name);
  }
  return names;
}

std::size_t hub_view::claimed_count() const {
  return static_cast<std::size_t>(
    std::ranges::count_if(records_, [](const auto& each) { return !each.second.owner.empty(); }));
}

hub_export hub_view::reduced(const slice_export& seen, const std::string& slice_uid) const {
  const hub_record* held = find(seen.key.name);
  const std::string& owner = held != nullptr && held->seen.uid == seen.uid ? held->owner : referenced(seen);
  hub_export out = reduced(seen);
  out.mine = !slice_uid.empty() && owner == slice_uid;
  return out;
}

hub_change hub_view::put(const slice_export& seen, const admission& how, bool owner_is_known) {
  if (!how.taken)
    return {};
  hub_record& record = records_[seen.key.name];
  const bool same_object = record.seen.uid == seen.uid;
  hub_change change{seen.key.name, hub_change::extent::content, record.owner, {}};

  record.created = record.created && same_object;
  const bool claim_holds = same_object && !record.owner.empty() && (record.created || owner_is_known);
  if (!claim_holds)
    own(seen.key.name, record, referenced(seen));
  change.owner = record.owner;

  hub_export next = reduced(seen);
  next.resource_version = record.seen.resource_version;
  if (next == record.seen && change.owner == change.former_owner)
    change.what =
      next.resource_version == seen.resource_version ? hub_change::extent::none : hub_change::extent::version;
  next.resource_version = seen.resource_version;
  record.seen = std::move(next);
  record.slice = seen.spec.reference.slice;
  return change;
}

hub_change hub_view::remove(const std::string& name) {
  const auto at = records_.find(name);
  hub_change change{name, hub_change::extent::content, at->second.owner, {}};
  own(name, at->second, {});
  records_.erase(at);
  return change;
}

void hub_view::own(const std::string& name, hub_record& record, const std::string& owner) {
  if (record.owner == owner)
    return;
  if (!record.owner.empty())
    owned_.remove(record.owner, name);
  if (!owner.empty())
    owned_.add(owner, name);
  record.owner = owner;
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
