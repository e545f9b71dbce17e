#pragma once
#include "messages/endpoint.hpp"
#include "messages/object_key.hpp"
#include "messages/port.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry {

/// The three annotations that are ours, as found: absent, or any text at all (anyone may write them).
struct slice_annotations {
  std::optional<std::string> name;       ///< networking.fleet.azure.com/fleet-unique-name
  std::optional<std::string> generation; ///< networking.fleet.azure.com/last-seen-generation
  std::optional<std::string> timestamp;  ///< networking.fleet.azure.com/last-seen-timestamp

  bool operator==(const slice_annotations&) const = default;
  /// True when none of the three keys is present.
  bool empty() const { return !name && !generation && !timestamp; }
};

/// An EndpointSlice of a member, reduced at decoding to what an export can depend on.
///
/// `ready` holds the endpoints whose `conditions.ready` is true or absent (the API says absent
/// means ready), in order; an endpoint without addresses is left out. `fallback` holds those that aren't
/// ready and still serve while they terminate (KEP-1669), in order, and only where `ready` is empty.
struct endpoint_slice {
  object_key key;
  std::string uid;
  std::string resource_version; ///< opaque; sent back as it came
  std::int64_t generation = 0;
  bool deleting = false; ///< has a deletionTimestamp: held by someone's finalizer
  std::string address_type;
  std::optional<std::string> service; ///< label kubernetes.io/service-name; may be present and empty
  std::string managed_by;             ///< label endpointslice.kubernetes.io/managed-by, or empty
  slice_annotations ours;
  std::vector<endpoint> ready;
  std::vector<endpoint> fallback;
  port_list ports;

  bool operator==(const endpoint_slice&) const = default;
};

/// For logs and test failures: key, uid, resourceVersion, generation and what a rule looks at.
std::string to_string(const endpoint_slice& slice);

} // namespace sliceferry
