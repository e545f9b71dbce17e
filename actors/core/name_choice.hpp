#pragma once
#include "actors/core/memory.hpp"
#include "messages/inputs.hpp"

#include <string>

namespace sliceferry::core {

/// Which rule names the export of a slice that is to be exported.
enum class name_rule {
  pending, ///< 1: a name chosen and not yet acknowledged stands until its object proves foreign, or the slice shows a
           ///< later one (memory is of a journal that wasn't written for a while)
  renewed, ///< 2: we deleted the export under the slice's name, so a new name is needed (C27)
  as_is,   ///< 3: the slice's name is valid, and the object under it is absent or ours (C30)
  kept,    ///< 4: the slice lost its name and an export of ours is live: that one's name (C72, D6)
  fresh,   ///< 5: none, an invalid one or somebody else's: a new name is needed
};

/// The rule that applies, and the name that it gives; empty where a new one must be made.
struct name_choice {
  name_rule by = name_rule::fresh;
  std::string name;

  bool operator==(const name_choice&) const = default;
};

/// Precondition: `seen.slice` is not null.
name_choice choose_name(const memory& held, const inputs& seen);

} // namespace sliceferry::core
