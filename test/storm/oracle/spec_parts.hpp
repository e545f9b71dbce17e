#pragma once
#include <boost/json/object.hpp>

#include <cstdint>
#include <string_view>

namespace sliceferry::storm {

/// The spec of an export as digests by part, so that what differs can be named: of a slice what they must be, of an
/// export what they are. `reference` is without generation, exportedSince and resourceVersion.
///
/// Ports that are null, absent or empty are alike, a port without a name has the name "", one without a protocol TCP.
struct spec_parts {
  std::uint64_t address_type = 0;
  std::uint64_t endpoints = 0;
  std::uint64_t ports = 0;
  std::uint64_t reference = 0;
  std::uint64_t owner = 0;

  bool operator==(const spec_parts&) const = default;
};

/// What the spec must be; `slice` is the whole EndpointSlice, `cluster` the member's id.
spec_parts wanted_parts(const boost::json::object& slice, std::string_view cluster);

/// What it is, of an export's `spec`.
spec_parts found_parts(const boost::json::object& spec);

} // namespace sliceferry::storm
