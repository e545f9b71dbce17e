#pragma once
#include <string>

namespace sliceferry::k8s {

/// All that is asked of an object where only its life matters.
struct object_life {
  std::string name;
  std::string uid;
  bool terminating = false; ///< has a deletionTimestamp

  bool operator==(const object_life&) const = default;
};

} // namespace sliceferry::k8s
