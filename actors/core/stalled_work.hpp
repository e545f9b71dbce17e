#pragma once
#include "messages/clock.hpp"

#include <string>

namespace sliceferry::core {

/// A command in a writer that can't leave now, and not for want of a token only.
struct stalled_work {
  std::string slice_uid;
  tick until{}; ///< not before then, if nothing new happens

  bool operator==(const stalled_work&) const = default;
};

} // namespace sliceferry::core
