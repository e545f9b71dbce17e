#pragma once
#include "messages/endpoint_slice.hpp"
#include "test/storm/oracle/spec_parts.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry::storm {

/// An EndpointSlice of a member as far as the oracle judges by it.
struct seen_slice {
  object_key key;
  std::string uid;
  std::string resource_version;
  std::int64_t generation = 0;
  std::optional<std::string> service; ///< label kubernetes.io/service-name
  slice_annotations ours;
  bool deleting = false;
  bool ipv4 = false;
  bool imported = false;  ///< made by the importer, by its managed-by label
  spec_parts wanted;      ///< the spec that its export must have
  std::uint64_t rest = 0; ///< all of it but our three annotations, resourceVersion and managedFields
};

/// Nothing where the object has no UID.
std::optional<seen_slice> read_slice(const boost::json::value& object, std::string_view cluster);

} // namespace sliceferry::storm
