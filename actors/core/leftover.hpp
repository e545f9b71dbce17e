#pragma once
#include "messages/object_key.hpp"

#include <string>

namespace sliceferry::core {

/// An export of our cluster on the hub whose slice the member doesn't hold. A suspicion only,
/// until a read of the slice confirms it.
struct leftover {
  std::string name; ///< of the export
  std::string hub_uid;
  object_key slice; ///< where the reference says that the slice is
  std::string slice_uid;

  bool operator==(const leftover&) const = default;
};

} // namespace sliceferry::core
