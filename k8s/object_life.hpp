#pragma once
#include <string>

namespace sliceferry::k8s {

/// All that is asked of a namespace or a CustomResourceDefinition: that it is there, and for how long.
struct object_life {
  std::string name;
  bool terminating = false; ///< has a deletionTimestamp

  bool operator==(const object_life&) const = default;
};

} // namespace sliceferry::k8s
