#pragma once
#include "test/storm/history/entry.hpp"

#include <string>

namespace sliceferry::storm {

/// Something that is not as it must be, or must never have happened.
struct violation {
  std::string rule;   ///< `availability`, `backwards` …; of a difference in what stands now, `state`
  std::string member; ///< empty where no member is concerned
  std::string object; ///< of the member's slice `namespace/name`, else of what was written
  instant at{};
  std::string story; ///< what is wrong in one line; then the last that happened to that slice, a line each
};

} // namespace sliceferry::storm
