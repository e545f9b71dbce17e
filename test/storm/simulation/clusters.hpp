#pragma once
#include "messages/clock.hpp"
#include "messages/endpoint_slice.hpp"
#include "messages/service_export.hpp"
#include "messages/slice_export.hpp"
#include "test/storm/simulation/collection.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace sliceferry::storm {

inline const std::string our_cluster = "m1";
inline const std::string our_nspace = "fleet-member-m1";
inline const std::string imports_nspace = "fleet-system";

/// The truth: one member cluster and its namespace on the hub, whoever changed them. One sequence of versions per
/// cluster; UIDs are never used twice.
class clusters {
public:
  enum class nspace { there, terminating, gone };

  const collection<endpoint_slice>& slices() const { return slices_; }
  const collection<service_export>& consents() const { return consents_; }
  const collection<slice_export>& exports() const { return exports_; }
  std::uint64_t member_version() const { return member_version_; }
  std::uint64_t hub_version() const { return hub_version_; }

  void put(endpoint_slice slice) {
    if (slice.ours.name)
      carried_[slice.uid].insert(*slice.ours.name);
    slices_.put(std::move(slice), ++member_version_);
  }
  void put(service_export consent) { consents_.put(std::move(consent), ++member_version_); }
  void put(slice_export exported) {
    if (exported.spec.reference.cluster == our_cluster)
      ours_ever_.insert(exported.uid);
    exports_.put(std::move(exported), ++hub_version_);
  }
  void remove_slice(const object_key& key) { slices_.remove(key, ++member_version_); }
  void remove_consent(const object_key& key) { consents_.remove(key, ++member_version_); }

  /// A DELETE: an export that the hub controller's finalizer holds only terminates.
  void remove_export(const object_key& key) {
    const auto* held = exports_.find(key);
    if (held == nullptr || held->terminating)
      return;
    if (finalized_.count(held->uid) == 0)
      return exports_.remove(key, ++hub_version_);
    auto next = *held;
    next.terminating = true;
    put(next);
  }
  /// The hub controller adds its finalizer to an export, which moves the version, or takes it off one that terminates.
  void finalize(const object_key& key) {
    const auto* held = exports_.find(key);
    if (held == nullptr)
      return;
    if (held->terminating)
      exports_.remove(key, ++hub_version_);
    else if (finalized_.insert(held->uid).second)
      put(slice_export{*held});
  }
  bool finalized(const std::string& hub_uid) const { return finalized_.count(hub_uid) != 0; }
  void strip_finalizer(const std::string& hub_uid) { finalized_.erase(hub_uid); }

  std::string fresh_uid(char kind) { return kind + std::to_string(++uids_); }
  /// Every name that the slice of this UID ever had in its annotation.
  bool carried(const std::string& uid, const std::string& name) const {
    const auto at = carried_.find(uid);
    return at != carried_.end() && at->second.count(name) != 0;
  }
  /// Whether the export was at any time one of our cluster.
  bool was_ours(const std::string& hub_uid) const { return ours_ever_.count(hub_uid) != 0; }

  nspace hub_nspace = nspace::there;
  seconds_utc now{}; ///< of both clusters' clocks, which are right

private:
  collection<endpoint_slice> slices_;
  collection<service_export> consents_;
  collection<slice_export> exports_;
  std::uint64_t member_version_ = 100;
  std::uint64_t hub_version_ = 100;
  std::uint64_t uids_ = 0;
  std::set<std::string> finalized_; ///< hub UIDs
  std::set<std::string> ours_ever_; ///< hub UIDs
  std::map<std::string, std::set<std::string>> carried_;
};

} // namespace sliceferry::storm
