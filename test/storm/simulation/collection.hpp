#pragma once
#include "messages/object_key.hpp"
#include "messages/watch_event.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::storm {

/// The objects of one kind in a simulated cluster, and every change that there ever was.
template <class T>
class collection {
public:
  using object_ptr = std::shared_ptr<const T>;
  struct change {
    watch_change what = watch_change::applied;
    object_ptr object;
  };

  const T* find(const object_key& key) const {
    const auto at = all_.find(key);
    return at == all_.end() ? nullptr : at->second.get();
  }
  const std::map<object_key, object_ptr>& all() const { return all_; }
  const std::vector<change>& log() const { return log_; }

  void put(T object, std::uint64_t version) {
    object.resource_version = std::to_string(version);
    const auto next = std::make_shared<const T>(std::move(object));
    log_.push_back({watch_change::applied, next});
    all_.insert_or_assign(next->key, next);
  }

  /// A DELETE is told with the version that it made.
  void remove(const object_key& key, std::uint64_t version) {
    const auto at = all_.find(key);
    if (at == all_.end())
      return;
    T last = *at->second;
    last.resource_version = std::to_string(version);
    log_.push_back({watch_change::deleted, std::make_shared<const T>(std::move(last))});
    all_.erase(at);
  }

private:
  std::map<object_key, object_ptr> all_;
  std::vector<change> log_;
};

} // namespace sliceferry::storm
