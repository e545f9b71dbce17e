#pragma once
#include "actors/core/inventory.hpp"
#include "actors/core/unreadable_keys.hpp"
#include "messages/consent.hpp"
#include "messages/service_export.hpp"

#include <unordered_map>
#include <vector>

namespace sliceferry::core {

/// What the member's ServiceExports say, by namespace and name of their Service.
///
/// Only a change of the verdict counts as one: the many status updates that don't change it
/// concern nobody (D15). One created again under the same name starts without a verdict. One that a list holds and
/// that can't be decoded keeps its verdict, or is `pending`, which proves no absence.
class consent_view {
public:
  void init() {
    present_.init();
    unreadable_.init();
  }
  void spare(const object_key& key) {
    present_.spare(key);
    unreadable_.add(key);
  }
  /// Returns the Services whose consent is absent by the list that is now complete.
  std::vector<object_key> init_done(const std::string& resource_version);
  /// True if the consent at its key changed.
  bool applied(const service_export& seen);
  bool deleted(const service_export& last);

  bool synced() const { return present_.synced(); }
  consent at(const object_key& service) const;

private:
  inventory present_;
  unreadable_keys unreadable_;
  std::unordered_map<object_key, consent> says_;
};

} // namespace sliceferry::core
