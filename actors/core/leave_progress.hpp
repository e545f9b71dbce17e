#pragma once
#include <cstddef>

namespace sliceferry::core {

/// How far a member that leaves the fleet has got (pitfall MC17): whoever asked for it may end the program, or the
/// member, once it is `done`.
struct leave_progress {
  bool leaving = false;
  std::size_t exports = 0;   ///< of ours on the hub, live or terminating
  std::size_t annotated = 0; ///< slices that carry annotations of ours, as far as slices are known
  bool hub_synced = false;   ///< before that, `exports` is not all
  bool done = false;         ///< leaving, and the hub holds no export of ours, nor one that terminates

  bool operator==(const leave_progress&) const = default;
};

} // namespace sliceferry::core
