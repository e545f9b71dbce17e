#pragma once
#include "test/storm/history/entry.hpp"
#include "test/storm/weather/export_wish.hpp"

#include <map>
#include <string>
#include <utility>

namespace sliceferry::storm {

/// The exports that stand on the hub, as users would look them up: from the history, by the slice that they refer to.
/// What storms planted isn't found, nor what is terminating.
class export_index {
public:
  void see(const history_entry& entry);
  /// JSON, or nothing.
  std::string find(const export_wish& wish) const;

private:
  struct standing {
    std::string slice; ///< `namespace/name` of the reference, when the object was made
    std::string text;
    bool terminating = false;
  };
  using place = std::pair<std::string, std::string>; ///< namespace on the hub and a name

  std::map<place, standing> exports_;          ///< by their names
  std::multimap<place, std::string> by_slice_; ///< their names
};

} // namespace sliceferry::storm
