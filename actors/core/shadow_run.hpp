#pragma once
#include "actors/core/member_identity.hpp"
#include "actors/core/memory.hpp"
#include "messages/clock.hpp"
#include "messages/command.hpp"
#include "messages/inputs.hpp"

#include <vector>

namespace sliceferry::core {

/// What an exporter that knows nothing yet would do about a slice, were every write to go well: the same rules, with
/// nobody to carry the commands out. A slice whose clusters are in sync gets none.
struct shadow_run {
  struct step {
    command owed;
    memory held;          ///< when the command was owed
    inputs seen;          ///< the same; shows what the commands before it did
    bool renames = false; ///< a new name was chosen just before
  };
  std::vector<step> steps;
  memory held; ///< in the end, like the next
  inputs seen;
  bool dates_anew = false; ///< the slice's generation counts as first seen now
};

/// Ends also where rules would never do.
shadow_run run_shadow(const member_identity& identity, inputs seen, seconds_utc now);

} // namespace sliceferry::core
