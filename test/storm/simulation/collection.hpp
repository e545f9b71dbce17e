#pragma once
#include "messages/object_key.hpp"
#include "messages/watch_event.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::storm {

/// The objects of one kind in a simulated cluster, and every change that there ever was.
template <class T>
class collection {
public:
  const T* find(const object_key& key) const {
    const auto at = all_.find(key);
    return at == all_.end() ? nullptr : &at->second;
  }
  const std::map<object_key, T>& all() const { return all_; }
  const std::vector<watch_event<T>>& log() const { return log_; }

  void put(T object, std::uint64_t version) {
    object.resource_version = std::to_string(version);
    log_.push_back({watch_change::applied, object});
    const object_key key = object.key;
    all_.insert_or_assign(key, std::move(object));
  }

  /// A DELETE is told with the version that it made.
  void remove(const object_key& key, std::uint64_t version) {
    const auto at = all_.find(key);
    if (at == all_.end())
      return;
    at->second.resource_version = std::to_string(version);
    log_.push_back({watch_change::deleted, std::move(at->second)});
    all_.erase(at);
  }

private:
  std::map<object_key, T> all_;
  std::vector<watch_event<T>> log_;
};

} // namespace sliceferry::storm
