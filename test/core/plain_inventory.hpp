#pragma once
#include "actors/core/newness.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry::core {

/// Who is present in one mirrored collection, by `newness` over a plain map: what each keeper of objects does with it.
class inventory {
  template <class News>
  auto with(const object_key& key, const News& news) {
    const auto at = held_.find(key);
    auto held = at == held_.end() ? std::nullopt : std::optional{at->second};
    const auto out = news(held);
    if (held)
      held_.insert_or_assign(key, *held);
    else
      held_.erase(key);
    return out;
  }

public:
  explicit inventory(std::size_t buried_max = 4096) : news_(buried_max) {}

  void init() { news_.init(); }
  std::vector<sighting> init_done(const std::string& resource_version) {
    std::vector<sighting> absent;
    if (!news_.init_done(resource_version))
      return absent;
    for (const auto& [key, held] : held_)
      if (news_.is_absent(held))
        absent.push_back({key, held.uid});
    for (const auto& who : absent)
      held_.erase(who.key);
    return absent;
  }
  admission applied(const sighting& who, const std::string& resource_version) {
    return with(who.key, [&](auto& held) { return news_.applied(held, who.uid, resource_version); });
  }
  admission answered(const sighting& who, const std::string& resource_version) {
    return with(who.key, [&](auto& held) { return news_.answered(held, who.uid, resource_version); });
  }
  bool deleted(const sighting& who, const std::string& resource_version) {
    return with(who.key, [&](auto& held) { return news_.deleted(held, who.uid, resource_version); });
  }
  void spare(const object_key& key) {
    if (const auto at = held_.find(key); at != held_.end())
      news_.spare(at->second.heard);
  }
  bool removed(const sighting& who) {
    news_.removed(who.uid);
    const auto at = held_.find(who.key);
    const bool was_held = at != held_.end() && at->second.uid == who.uid;
    if (was_held)
      held_.erase(at);
    return was_held;
  }

  bool take_doubt() { return news_.take_doubt(); }
  bool take_restored() { return news_.take_restored(); }
  const std::string* uid_at(const object_key& key) const {
    const auto at = held_.find(key);
    return at == held_.end() ? nullptr : &at->second.uid;
  }
  bool synced() const { return news_.synced(); }

private:
  newness news_;
  std::map<object_key, holding> held_;
};

} // namespace sliceferry::core
