#pragma once
#include "test/core/shared_clusters.hpp"

#include <chrono>
#include <random>
#include <string>

namespace sliceferry::core {

/// What of a Go agent differs from one installation to the next.
struct go_habits {
  std::string cluster = "m1";
  std::chrono::minutes offset{0}; ///< of its time zone; its annotations show it
  bool leaves_kind_empty = false; ///< a create after an update of the slice stores neither kind nor apiVersion
};

/// The agent whose place this program takes: the exporter and the garbage collector of Azure's fleet-networking (Go),
/// modelled from their rules. Between two versions of a fleet either may run on the other's objects.
///
/// Deliberately without the repairs of this program: it looks at the generation of no verdict, knows exports by name
/// and the slice's UID alone, and leaves what a deleted slice left behind to its collector. Its caches are up to date.
class go_agent {
public:
  go_agent(shared_clusters& servers, go_habits habits, std::uint32_t seed)
    : servers_{servers}, habits_{std::move(habits)}, random_{seed} {}

  /// One reconcile of a slice. False is an error: it would be tried again after a while.
  bool reconcile(const object_key& slice);
  /// One round of the collector over an export. False as above.
  bool collect(const std::string& name);
  /// Whether the collector would keep the export.
  bool is_linked(const std::string& name) const;
  /// Everything, with the hub's controller, until nothing changes any more. False if that doesn't come to an end.
  bool run();

private:
  bool may_export(const endpoint_slice& slice) const;
  bool unexport(const endpoint_slice& slice);
  bool do_export(endpoint_slice slice);
  bool refresh(const endpoint_slice& slice, seconds_utc since, bool was_written);
  std::string make_name(const object_key& slice);
  std::string format(seconds_utc time) const;

  shared_clusters& servers_;
  go_habits habits_;
  std::mt19937 random_;
};

} // namespace sliceferry::core
