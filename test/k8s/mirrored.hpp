#pragma once
#include "messages/watch_event.hpp"

#include <map>
#include <set>
#include <string>

namespace sliceferry::k8s {

/// A consumer as the contract of `watch_change` describes it: names and versions of what exists.
struct mirrored {
  std::map<std::string, std::string> objects;
  std::set<std::string> listed;
  unsigned lists = 0; ///< completed
  bool in_list = false;

  template <class T>
  void take(const watch_batch<T>& batch) {
    for (const auto& event : batch.events)
      take(event);
    for (const auto& key : batch.unreadable)
      listed.insert(key.name);
  }

  template <class T>
  void take(const watch_event<T>& event) {
    switch (event.change) {
      case watch_change::init:
        listed.clear();
        in_list = true;
        break;
      case watch_change::applied:
        objects[event.object.key.name] = event.object.resource_version;
        listed.insert(event.object.key.name);
        break;
      case watch_change::deleted:
        objects.erase(event.object.key.name);
        break;
      case watch_change::init_done:
        std::erase_if(objects, [&](const auto& one) { return listed.count(one.first) == 0; });
        in_list = false;
        ++lists;
        break;
    }
  }
};

} // namespace sliceferry::k8s
