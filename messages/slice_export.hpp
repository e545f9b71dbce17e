#pragma once
#include "messages/clock.hpp"
#include "messages/endpoint.hpp"
#include "messages/object_key.hpp"
#include "messages/port.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry {

/// `spec.endpointSliceReference`: which slice of which cluster an export mirrors.
struct slice_reference {
  std::string cluster; ///< clusterId
  std::string api_version;
  std::string kind;
  object_key slice;            ///< namespace and name
  std::string namespaced_name; ///< as stored; equals to_string(slice) unless someone edited it
  std::string uid;
  std::string resource_version;
  std::int64_t generation = 0;
  std::optional<seconds_utc> exported_since; ///< whole seconds; absent or unreadable are alike

  bool operator==(const slice_reference&) const = default;
};

/// `spec.ownerServiceReference`: the Service that the slice belongs to.
struct service_reference {
  object_key service;
  std::string namespaced_name; ///< as stored, like its sibling above

  bool operator==(const service_reference&) const = default;
};

/// The whole `spec` of an EndpointSliceExport: all that this program writes on the hub.
struct slice_export_spec {
  std::string address_type = "IPv4";
  std::vector<endpoint> endpoints; ///< never null on the wire
  port_list ports;
  slice_reference reference;
  service_reference owner;

  bool operator==(const slice_export_spec&) const = default;
};

/// The field manager under which this program's writes are recorded: what its User-Agent begins with.
inline constexpr std::string_view own_manager = "sliceferry";

/// An EndpointSliceExport as the hub holds it.
struct slice_export {
  object_key key;
  std::string uid;
  std::string resource_version;
  seconds_utc created{};
  bool terminating = false;
  std::string last_manager; ///< field manager of the newest write to `spec`, or empty; within a second, not ours
  slice_export_spec spec;

  bool operator==(const slice_export&) const = default;
};

std::string to_string(const slice_export& exported);
std::string to_string(const slice_export_spec& spec);

} // namespace sliceferry
