#pragma once
#include "test/storm/weather/deed.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

using deeds = std::vector<deed>;

/// One kind of storm. `plan` names the next deeds in the order in which they are wanted; it may name none, and it keeps
/// nothing between its calls.
struct storm_kind {
  std::string_view name;
  std::string_view sentence;
  std::uint32_t weight;          ///< its share of the requests, relative to the other chosen storms
  std::size_t slices_per_member; ///< it needs at least so many
  deeds (*plan)(const fleet&, dice&);
  bool is_apart = false; ///< not one of `everything`: it acts on the hub
};

std::span<const storm_kind> storms();
/// Null where there is no such storm; `everything` isn't one.
const storm_kind* find_storm(std::string_view name);

} // namespace sliceferry::storm
