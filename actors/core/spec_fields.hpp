#pragma once
#include "messages/slice_export.hpp"

#include <string>
#include <vector>

namespace sliceferry::core {

/// One field of an object that holds something else than it should.
struct field_difference {
  std::string field; ///< its path, as on the wire
  std::string is;    ///< for people; `absent` where nothing is there
  std::string should_be;

  bool operator==(const field_difference&) const = default;
};

/// The fields that keep two specs from being `equivalent`, in the order of the API; empty if and only if they are.
/// With `count_resource_version` that of the reference must be the same, too.
std::vector<field_difference> differing_fields(const slice_export_spec& is, const slice_export_spec& should_be,
                                               bool count_resource_version);

} // namespace sliceferry::core
