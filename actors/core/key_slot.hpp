#pragma once
#include "actors/core/write_entry.hpp"
#include "messages/failure.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace sliceferry::core {

/// What the write queue knows of one key: who wants it, how it fared, what its server refused.
struct key_slot {
  /// Content that the server refused; the same is not sent again before `until`.
  struct parking {
    std::uint64_t digest = 0;
    bool of_right = false; ///< for want of a right, else for its content
    unsigned refusals = 0; ///< of the same digest for the same kind of reason, in a row
    tick until{};
    work_rank rank = work_rank::change;
    bool freed = false; ///< it was tried before its time, as the right seemed to be back
  };

  const work_key* key = nullptr;
  std::size_t lane = 0;
  std::vector<write_entry*> waiting; ///< at most one per owner, in order of arrival
  write_entry* seated = nullptr;     ///< the one of `waiting` that competes in its lane
  bool in_flight = false;
  unsigned failures = 0; ///< in a row
  tick not_before = tick::min();
  std::optional<parking> parked;
  std::shared_ptr<const failure> last_error;                        ///< since the last success; for people
  std::optional<std::multimap<tick, key_slot*>::iterator> unwanted; ///< set while nobody wants it: when to forget it

  /// When `entry` may leave, as far as this key is concerned.
  tick eligible_at(const write_entry& entry) const { return std::max(held_until(entry), entry.own_delay); }

  /// The same without what the entry must wait by itself.
  tick held_until(const write_entry& entry) const {
    tick when = not_before;
    if (parked && !entry.unread && content_digest(entry.asked.what) == parked->digest)
      when = std::max(when, parked->until);
    return when;
  }

  /// The first to arrive of those who may leave soonest: a parked one doesn't hold up the others.
  write_entry* next_in_line(tick now) const {
    write_entry* best = nullptr;
    for (write_entry* entry : waiting)
      if (!best || std::max(now, eligible_at(*entry)) < std::max(now, eligible_at(*best)))
        best = entry;
    return best;
  }
};

} // namespace sliceferry::core
