#pragma once
#include "test/storm/server/object_store.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>

namespace sliceferry::storm {

/// A change of the store, as watches are told of it.
struct logged_event {
  std::size_t kind = 0; ///< id
  history_entry::change what = history_entry::change::none;
  std::string nspace;
  std::string name;
  shared_revision before; ///< null: created
  shared_revision after;  ///< of a deleted object its last state, at the delete's version

  std::uint64_t version() const { return after->version; }
};

/// The newest changes, oldest first; what came before the floor is compacted.
class event_log {
public:
  explicit event_log(std::size_t most) : most_(most) {}

  void push(logged_event event);
  /// Forgets all; the given version is the oldest from which can be resumed.
  void clear(std::uint64_t floor);

  /// Every later change is here.
  std::uint64_t floor() const { return floor_; }
  /// The first event after the version.
  std::deque<logged_event>::const_iterator after(std::uint64_t version) const;
  std::deque<logged_event>::const_iterator end() const { return events_.end(); }

  /// How objects of a kind were at a version, where they aren't like that any more; null: they weren't there. Nothing
  /// else differs. The version must not be below the floor.
  using differences = std::map<std::pair<std::string, std::string>, shared_revision>;
  differences undone(std::size_t kind, std::uint64_t version) const;

private:
  std::deque<logged_event> events_;
  std::uint64_t floor_ = 0;
  std::size_t most_;
};

} // namespace sliceferry::storm
