#pragma once
#include "actors/core/explanation.hpp"
#include "messages/object_key.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry {

/// What one member tells of the slices under a name.
struct member_told {
  std::string member;
  std::vector<core::explanation>
    found{}; ///< more than one where a slice was made anew and the old one's export is left
  // Where none was found:
  bool slices_synced = false;
  bool exports_synced = false;
  std::optional<std::size_t> slices{}; ///< how many it knows; nothing: no other name was looked at
  std::vector<object_key> near{};
  bool is_busy = false; ///< it was searched a moment ago, and a search looks at everything

  bool operator==(const member_told&) const = default;
};

/// Somebody wants to know why a slice of a member is exported or not.
struct slice_question {
  object_key slice;
  std::function<void(member_told)> answer; ///< from any thread; need not be called, then nobody waits for long
};

} // namespace sliceferry
