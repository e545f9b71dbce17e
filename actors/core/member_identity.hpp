#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace sliceferry::core {

/// Who a member is to the fleet, and the settings that rules depend on. One value per member, shared by its slices.
struct member_identity {
  std::string cluster;                         ///< clusterId in every reference, and the head of every unique name
  std::string hub_nspace;                      ///< where this member's exports live on the hub
  std::string imports_nspace = "fleet-system"; ///< where importers put slices: never exported again
  std::uint64_t seed = 0;                      ///< of this process; makes names of two processes differ
  /// Writes an export also when nothing but the slice's resourceVersion changed, as the Go controller does.
  bool refresh_resource_version_always = false;
  /// Of a slice without ready endpoints, those that serve while terminating are exported.
  bool serving_fallback = false;
  std::chrono::nanoseconds orphan_grace{0}; ///< how long an export whose slice isn't there is left alone
};

/// Who manages a slice that was imported from the fleet (label endpointslice.kubernetes.io/managed-by).
inline constexpr std::string_view importer_manager = "endpointsliceimport-controller.networking.fleet.azure.com";

/// The only address type that is exported; constant in every export.
inline constexpr std::string_view exported_address_type = "IPv4";

/// What an export's reference names. The Go controller may leave both empty; readers treat empty as these.
inline constexpr std::string_view slice_api_version = "discovery.k8s.io/v1";
inline constexpr std::string_view slice_kind = "EndpointSlice";

} // namespace sliceferry::core
