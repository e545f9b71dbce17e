#pragma once
#include "actors/core/consent_store.hpp"
#include "actors/core/newness.hpp"
#include "actors/core/unreadable_keys.hpp"
#include "messages/consent.hpp"
#include "messages/service_export.hpp"

#include <string>
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
    news_.init();
    unreadable_.init();
  }
  void spare(const object_key& key);
  /// Returns the Services whose consent is absent by the list that is now complete.
  std::vector<object_key> init_done(const std::string& resource_version);
  /// True if the consent at its key changed.
  bool applied(const service_export& seen);
  bool deleted(const service_export& last);

  bool synced() const { return news_.synced(); }
  consent at(const object_key& service) const;

private:
  newness news_;
  unreadable_keys unreadable_;
  consent_store held_;
};

} // namespace sliceferry::core
