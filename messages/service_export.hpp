#pragma once
#include "messages/object_key.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace sliceferry {

/// A status condition as the API defines it; a condition that is not listed is absent, not Unknown.
struct condition {
  enum class status { yes, no, unknown };
  status is = status::unknown;
  std::optional<std::int64_t> observed_generation; ///< absent: its writer doesn't say what it judged

  bool operator==(const condition&) const = default;
};

/// A ServiceExport of a member: the owner's wish to export a Service, and the fleet's verdict on it.
/// It shares namespace and name with its Service.
struct service_export {
  object_key key;
  std::string uid;
  std::string resource_version;
  std::int64_t generation = 0;
  bool deleting = false;
  std::optional<condition> valid;    ///< type Valid
  std::optional<condition> conflict; ///< type Conflict

  bool operator==(const service_export&) const = default;
};

std::string to_string(const service_export& exported);

} // namespace sliceferry
