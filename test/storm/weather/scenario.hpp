#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// A run under a name: what it is for, and all that decides it but the seed.
struct scenario {
  std::string_view name;
  std::string_view sentence;
  std::vector<std::string_view> storms;
  std::vector<std::string_view> faults;
  std::size_t slices; ///< over all members
  std::size_t members;
  unsigned changes_per_s; ///< offered
  unsigned seconds;
  bool is_portable; ///< real API servers take it as well: no fault but of the program
  bool plays_hub_controller = false;
  unsigned qps = 200; ///< the program's limit to each server; twice as much at once
};

std::span<const scenario> scenarios();
/// Null where there is none of that name.
const scenario* find_scenario(std::string_view name);

} // namespace sliceferry::storm
