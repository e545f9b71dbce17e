#include "actors/core/inventory.hpp"

#include "actors/core/resource_version.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::core {
namespace {

/// One answer may be overtaken on its way by what the watch tells.
constexpr unsigned behind_max = 2;

} // namespace

inventory::inventory(std::size_t buried_max) : buried_max_(buried_max) {}

void inventory::init() {
  ++list_;
  listing_ = true;
  if (!position_.empty())
    position_before_list_ = std::exchange(position_, {});
}

std::vector<sighting> inventory::init_done(const std::string& resource_version) {
  std::vector<sighting> absent;
  if (!listing_)
    return absent;
  listing_ = false;
  synced_ = true;
  doubt_ = doubt::none;
  restored_ = restored_ || compare_versions(resource_version, position_before_list_) == version_order::older;
  position_before_list_.clear();
  advance(resource_version);
  for (auto at = held_.begin(); at != held_.end();) {
    const auto& [key, held] = *at;
    const bool listed = held.list == list_ && !held.answered;
    if (listed || (held.list == list_ && !passed(held.resource_version))) {
      ++at;
      continue;
    }
    absent.push_back({key, held.uid});
    at = held_.erase(at);
  }
  std::sort(absent.begin(), absent.end());
  return absent;
}

admission inventory::applied(const sighting& who, const std::string& resource_version) {
  advance(resource_version);
  if (is_buried(who.uid, resource_version))
    return {};
  const auto [at, fresh] = held_.try_emplace(who.key);
  holding& held = at->second;
  held.answered = false;
  if (!fresh && held.list == list_) {
    const auto order = compare_versions(resource_version, held.resource_version);
    if (order == version_order::same || order == version_order::older)
      return {};
    if (order == version_order::newer && held.uid != who.uid)
      bury(held.uid, held.resource_version);
  }
  unbury(who.uid);
  return put(held, who, resource_version);
}

admission inventory::answered(const sighting& who, const std::string& resource_version) {
  if (buried_.count(who.uid) != 0)
    return {};
  const auto at = held_.find(who.key);
  if (at == held_.end()) {
    if (passed(resource_version)) {
      raise_doubt();
      return {};
    }
    holding& held = held_[who.key];
    held.answered = true;
    return put(held, who, resource_version);
  }
  holding& held = at->second;
  const auto order = compare_versions(resource_version, held.resource_version);
  const bool other = held.uid != who.uid;
  // Without an order the watch alone can say which of two objects came later.
  if (order == version_order::older && ++held.behind >= behind_max)
    raise_doubt();
  if (order == version_order::same || order == version_order::older || (other && order == version_order::unknown))
    return {};
  if (other)
    bury(held.uid, held.resource_version);
  held.answered = held.answered || held.list != list_;
  return put(held, who, resource_version);
}

bool inventory::deleted(const sighting& who, const std::string& resource_version) {
  advance(resource_version);
  bury(who.uid, resource_version);
  return drop(who);
}

void inventory::spare(const object_key& key) {
  const auto at = held_.find(key);
  if (!listing_ || at == held_.end())
    return;
  at->second.list = list_;
  at->second.answered = false;
}

bool inventory::removed(const sighting& who) {
  bury(who.uid, {}); // no version is newer than an unknown one
  return drop(who);
}

bool inventory::drop(const sighting& who) {
  const auto at = held_.find(who.key);
  if (at == held_.end() || at->second.uid != who.uid)
    return false;
  held_.erase(at);
  return true;
}

const std::string* inventory::uid_at(const object_key& key) const {
  const auto at = held_.find(key);
  return at == held_.end() ? nullptr : &at->second.uid;
}

admission inventory::put(holding& held, const sighting& who, const std::string& resource_version) {
  admission out{true, {}};
  if (held.uid != who.uid)
    out.displaced = std::exchange(held.uid, who.uid);
  held.resource_version = resource_version;
  held.list = list_;
  held.behind = 0;
  return out;
}

bool inventory::is_buried(const std::string& uid, const std::string& resource_version) const {
  const auto at = buried_.find(uid);
  if (at == buried_.end())
    return false;
  if (listing_ && at->second.list != list_)
    return false;
  return compare_versions(resource_version, at->second.resource_version) != version_order::newer;
}

void inventory::bury(const std::string& uid, const std::string& resource_version) {
  const auto [at, fresh] = buried_.insert_or_assign(uid, burial{resource_version, list_});
  if (!fresh)
    return;
  buried_order_.push_back(at->first);
  if (buried_order_.size() <= buried_max_)
    return;
  buried_.erase(buried_order_.front());
  buried_order_.pop_front();
}

void inventory::unbury(const std::string& uid) {
  if (buried_.erase(uid) != 0)
    std::erase(buried_order_, uid);
}

void inventory::advance(const std::string& resource_version) {
  if (position_.empty() || compare_versions(resource_version, position_) == version_order::newer)
    position_ = resource_version;
}

void inventory::raise_doubt() {
  if (doubt_ == doubt::none && !listing_)
    doubt_ = doubt::raised;
}

bool inventory::take_doubt() {
  if (doubt_ != doubt::raised)
    return false;
  doubt_ = doubt::told;
  return true;
}

bool inventory::passed(const std::string& resource_version) const {
  const auto order = compare_versions(resource_version, position_);
  return order == version_order::older || order == version_order::same;
}

} // namespace sliceferry::core
