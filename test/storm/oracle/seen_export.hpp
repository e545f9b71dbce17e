#pragma once
#include "test/storm/oracle/spec_parts.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace sliceferry::storm {

/// What of an export belongs to others than the program, as digests; 0 is absent or empty.
struct surroundings {
  std::uint64_t labels = 0;
  std::uint64_t annotations = 0;
  std::uint64_t finalizers = 0;
  std::uint64_t owners = 0;
  std::uint64_t status = 0;

  bool operator==(const surroundings&) const = default;
};

/// An EndpointSliceExport of the hub as far as the oracle judges by it.
struct seen_export {
  std::string nspace;
  std::string name;
  std::string uid;
  std::string resource_version;
  bool terminating = false;
  std::string cluster;   ///< clusterId of the reference
  std::string slice_uid; ///< UID of the reference
  std::int64_t generation = 0;
  std::optional<std::int64_t> since; ///< exportedSince in seconds since 1970
  std::string reference_version;     ///< resourceVersion of the reference
  spec_parts found;
  surroundings around;

  bool operator==(const seen_export&) const = default;
};

/// Nothing where the object has no UID.
std::optional<seen_export> read_export(const boost::json::value& object);

/// The first of the surroundings that differs, or an empty text.
std::string first_difference(const surroundings& before, const surroundings& after);

} // namespace sliceferry::storm
