#pragma once
#include "messages/object_key.hpp"

#include <unordered_set>
#include <utility>
#include <vector>

namespace sliceferry::core {

/// Keys at which the newest list holds an object that could not be decoded: something is there, but what it says is
/// not known (LW40). Those of the list before it count until it is complete.
class unreadable_keys {
public:
  void init() {
    earlier_.merge(keys_);
    keys_.clear();
    listing_ = true;
  }

  /// The list that is open holds such an object; outside a list nothing is noted.
  void add(const object_key& key) {
    if (listing_)
      keys_.insert(key);
  }

  /// The object at this key was read or is gone. True if it was noted.
  bool remove(const object_key& key) { return keys_.erase(key) + earlier_.erase(key) != 0; }

  /// The list is complete. Returns the keys that it doesn't hold any more, in no order.
  std::vector<object_key> init_done() {
    listing_ = false;
    std::vector<object_key> vanished;
    for (const object_key& key : std::exchange(earlier_, {}))
      if (!keys_.contains(key))
        vanished.push_back(key);
    return vanished;
  }

  bool contains(const object_key& key) const { return keys_.contains(key) || earlier_.contains(key); }

private:
  std::unordered_set<object_key> keys_;
  std::unordered_set<object_key> earlier_; ///< of lists before the one that is open
  bool listing_ = false;
};

} // namespace sliceferry::core
