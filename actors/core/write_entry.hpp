#pragma once
#include "actors/core/work.hpp"
#include "messages/clock.hpp"

#include <cstdint>

namespace sliceferry::core {

struct key_slot;

/// A work as the write queue keeps it, from its submission until its end is known.
struct write_entry {
  work asked;
  work_rank rank = work_rank::change;
  tick queued_at{};        ///< when its owner began to wait; a replacement inherits it
  tick own_delay{};        ///< not before this moment whatever its key allows
  std::uint64_t order = 0; ///< its place among equals; a retried one goes to the end
  std::uint64_t sent = 0;  ///< number of its newest attempt
  bool in_flight = false;
  bool unwanted = false; ///< wished away while in flight: it must not leave again
  bool unread = false;   ///< it was sent, and only a GET can tell whether it was applied
  key_slot* slot = nullptr;
  bool ready = false; ///< the lane's own mark
  tick due{};         ///< the lane's own mark

  /// True while it is certain that no server has done it.
  bool revocable() const { return !in_flight && !unread; }
};

} // namespace sliceferry::core
