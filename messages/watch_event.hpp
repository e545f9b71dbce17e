#pragma once
#include "messages/clock.hpp"
#include "messages/object_key.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace sliceferry {

/// What a reflector reports about one collection.
///
/// `init` opens a fresh consistent list and `init_done` closes it: a key not applied between the
/// two no longer exists. Before `init_done` absence proves nothing. `init` is told before the list is
/// asked for, so that all which was answered earlier is in it.
enum class watch_change { init, applied, deleted, init_done };

std::string_view to_string(watch_change change);

/// One step of a mirrored collection; `object` is empty for `init`, and for `init_done` it carries the
/// list's `resource_version` alone.
/// For `deleted` it is the last state that the server sent.
template <class T>
struct watch_event {
  watch_change change = watch_change::applied;
  T object{};
};

/// All that one read of the socket yielded, in order. Travels shared and immutable.
template <class T>
struct watch_batch {
  std::vector<watch_event<T>> events;
  tick read_at{};            ///< when the bytes arrived, for propagation latency
  std::size_t malformed = 0; ///< objects of this read that could not be decoded
  /// Their keys, as far as they could be read. Such an object exists: within `init` … `init_done`
  /// its key counts as present, or one broken object would be taken for a deleted one.
  std::vector<object_key> unreadable;
};

} // namespace sliceferry
