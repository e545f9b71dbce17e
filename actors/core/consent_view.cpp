#include "actors/core/consent_view.hpp"

#include "actors/core/consent_rule.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::core {

void consent_view::spare(const object_key& key) {
  unreadable_.add(key);
  auto found = held_.find(key);
  if (!found)
    return;
  news_.spare(found->held.heard);
  held_.put(*found);
}

std::vector<object_key> consent_view::init_done(const std::string& resource_version) {
  std::vector<object_key> absent = unreadable_.init_done();
  if (!news_.init_done(resource_version))
    return absent;
  auto gone = held_.all([&](const held_consent& each) { return news_.is_absent(each.held); });
  std::ranges::sort(gone, {}, &held_consent::key);
  for (const auto& each : gone) {
    held_.erase(each.key);
    absent.push_back(each.key);
  }
  return absent;
}

bool consent_view::applied(const service_export& seen) {
  const auto before = held_.find(seen.key);
  auto held = before ? std::optional{before->held} : std::nullopt;
  const admission how = news_.applied(held, seen.uid, seen.resource_version);
  if (!how.taken) {
    if (before && *held != before->held)
      held_.put({seen.key, *held, before->says});
    return false;
  }
  const consent old = before ? before->says : at(seen.key);
  unreadable_.remove(seen.key);
  const consent now = judge(how.displaced.empty() ? old : consent::absent, seen);
  held_.put({seen.key, std::move(*held), now});
  return now != old;
}

bool consent_view::deleted(const service_export& last) {
  const bool was_unreadable = unreadable_.remove(last.key);
  const auto found = held_.find(last.key);
  auto held = found ? std::optional{found->held} : std::nullopt;
  if (!news_.deleted(held, last.uid, last.resource_version))
    return was_unreadable;
  held_.erase(last.key);
  return true;
}

consent consent_view::at(const object_key& service) const {
  if (const auto says = held_.says(service))
    return *says;
  return unreadable_.contains(service) ? consent::pending : consent::absent;
}

} // namespace sliceferry::core
