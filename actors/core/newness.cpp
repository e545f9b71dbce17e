#include "actors/core/newness.hpp"

#include "actors/core/resource_version.hpp"

#include <utility>

namespace sliceferry::core {
namespace {

/// One answer may be overtaken on its way by what the watch tells.
constexpr unsigned behind_max = 2;

} // namespace

newness::newness(std::size_t buried_max) : buried_max_(buried_max) {}

void newness::init() {
  ++list_;
  listing_ = true;
  if (!position_.empty())
    position_before_list_ = std::exchange(position_, {});
}

bool newness::init_done(const std::string& resource_version) {
  if (!listing_)
    return false;
  listing_ = false;
  synced_ = true;
  doubt_ = doubt::none;
  restored_ = restored_ || compare_versions(resource_version, position_before_list_) == version_order::older;
  position_before_list_.clear();
  advance(resource_version);
  return true;
}

bool newness::is_absent(const holding& held) const {
  return is_absent(held.heard).value_or(passed(held.resource_version));
}

std::optional<bool> newness::is_absent(const hearing& heard) const {
  if (heard.list != list_)
    return true;
  return heard.answered ? std::nullopt : std::optional{false};
}

admission newness::applied(std::optional<holding>& held, const std::string& uid, const std::string& resource_version) {
  advance(resource_version);
  if (is_buried(uid, resource_version))
    return {};
  if (held) {
    held->heard.answered = false;
    if (held->heard.list == list_) {
      const auto order = compare_versions(resource_version, held->resource_version);
      if (order == version_order::same || order == version_order::older)
        return {};
      if (order == version_order::newer && held->uid != uid)
        bury(held->uid, held->resource_version);
    }
  }
  unbury(uid);
  return put(held, uid, resource_version);
}

admission newness::answered(std::optional<holding>& held, const std::string& uid, const std::string& resource_version) {
  if (buried_.count(uid) != 0)
    return {};
  if (!held) {
    if (passed(resource_version)) {
      raise_doubt();
      return {};
    }
    const auto out = put(held, uid, resource_version);
    held->heard.answered = true;
    return out;
  }
  const auto order = compare_versions(resource_version, held->resource_version);
  const bool other = held->uid != uid;
  // Without an order the watch alone can say which of two objects came later.
  if (order == version_order::older && ++held->heard.behind >= behind_max)
    raise_doubt();
  if (order == version_order::same || order == version_order::older || (other && order == version_order::unknown))
    return {};
  if (other)
    bury(held->uid, held->resource_version);
  held->heard.answered = held->heard.answered || held->heard.list != list_;
  return put(held, uid, resource_version);
}

bool newness::deleted(std::optional<holding>& held, const std::string& uid, const std::string& resource_version) {
  advance(resource_version);
  bury(uid, resource_version);
  if (!held || held->uid != uid)
    return false;
  held.reset();
  return true;
}

void newness::spare(hearing& heard) const {
  if (!listing_)
    return;
  heard.list = list_;
  heard.answered = false;
}

void newness::removed(const std::string& uid) {
  bury(uid, {}); // no version is newer than an unknown one
}

admission newness::put(std::optional<holding>& held, const std::string& uid,
                       const std::string& resource_version) const {
  admission out{true, {}};
  if (!held)
    held.emplace();
  else if (held->uid != uid)
    out.displaced = held->uid;
  held->uid = uid;
  held->resource_version = resource_version;
  held->heard.list = list_;
  held->heard.behind = 0;
  return out;
}

bool newness::is_buried(const std::string& uid, const std::string& resource_version) const {
  const auto at = buried_.find(uid);
  if (at == buried_.end())
    return false;
  if (listing_ && at->second.list != list_)
    return false;
  return compare_versions(resource_version, at->second.resource_version) != version_order::newer;
}

void newness::bury(const std::string& uid, const std::string& resource_version) {
  const auto [at, fresh] = buried_.insert_or_assign(uid, burial{resource_version, list_});
  if (!fresh)
    return;
  buried_order_.push_back(at->first);
  if (buried_order_.size() <= buried_max_)
    return;
  buried_.erase(buried_order_.front());
  buried_order_.pop_front();
}

void newness::unbury(const std::string& uid) {
  if (buried_.erase(uid) != 0)
    std::erase(buried_order_, uid);
}

void newness::advance(const std::string& resource_version) {
  if (position_.empty() || compare_versions(resource_version, position_) == version_order::newer)
    position_ = resource_version;
}

void newness::raise_doubt() {
  if (doubt_ == doubt::none && !listing_)
    doubt_ = doubt::raised;
}

bool newness::take_doubt() {
  if (doubt_ != doubt::raised)
    return false;
  doubt_ = doubt::told;
  return true;
}

bool newness::passed(const std::string& resource_version) const {
  const auto order = compare_versions(resource_version, position_);
  return order == version_order::older || order == version_order::same;
}

} // namespace sliceferry::core
