#pragma once
#include "messages/object_key.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace sliceferry::core {

/// What a member's table knows under the name of a slice.
struct slice_search {
  /// The one that is there; then those gone of which something is left; then those of which only an export tells.
  std::vector<std::string> uids;
  std::size_t slices = 0;       ///< known in all
  std::vector<object_key> near; ///< where none was found: names that may have been meant, the likeliest first

  bool operator==(const slice_search&) const = default;
};

/// Keeps, of all names that are offered, the few that are likeliest meant by another one: the same name elsewhere, else
/// in the same namespace those that begin alike for longest.
class near_keys {
public:
  explicit near_keys(object_key wanted) : wanted_(std::move(wanted)) {}

  void offer(const object_key& key);
  std::vector<object_key> take();

private:
  struct candidate {
    std::size_t score = 0;
    object_key key;
  };
  static constexpr std::size_t count_max = 5;

  object_key wanted_;
  std::vector<candidate> best_; ///< the likeliest first
};

} // namespace sliceferry::core
