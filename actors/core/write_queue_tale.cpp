#include "actors/core/write_queue.hpp"

#include <algorithm>

namespace sliceferry::core {

queue_tale write_queue::tell_of(const work_owner& owner, tick now) const {
  queue_tale out;
  const auto found = entries_.find(owner);
  if (found == entries_.end())
    return out;
  for (const auto& entry : found->second)
    out.wishes.push_back(tale_of(*entry, now));
  return out;
}

/// What holds it up most is what it is said to wait for.
wish_tale write_queue::tale_of(const write_entry& entry, tick now) const {
  const key_slot& slot = *entry.slot;
  wish_tale out;
  out.what = entry.asked.what;
  out.only_reads = entry.unread;
  out.age = now - entry.queued_at;
  out.failures = slot.failures;
  const auto say_error = [&out](const std::shared_ptr<const failure>& why) {
    if (why)
      out.last_error = *why;
  };
  say_error(slot.last_error);
  if (entry.in_flight) {
    out.is = wish_state::in_flight;
    return out;
  }
  const bool is_parked = slot.parked && !entry.unread && content_digest(entry.asked.what) == slot.parked->digest;
  std::optional<tick> when = std::max({now, slot.eligible_at(entry), bucket_.ready_at()});
  if (is_parked && slot.parked->until > now) {
    out.is = wish_state::parked;
    out.failures = slot.parked->refusals;
  } else if (entry.own_delay > now) {
    out.is = wish_state::delayed;
  } else if (slot.not_before > now) {
    out.is = wish_state::backing_off;
  }
  const auto behind = [&](std::optional<tick> until, wish_state what, const std::shared_ptr<const failure>& why) {
    when = when && until ? std::optional{std::max(*when, *until)} : std::nullopt;
    out.is = what;
    say_error(why);
  };
  const auto& lane = lanes_[slot.lane];
  if (paused_until_ > *when)
    behind(paused_until_, wish_state::throttled, server_error_);
  if (entry.rank == work_rank::create && !entry.unread && !lane.writes.creates.closed())
    behind(lane.writes.creates.ready_at(), wish_state::behind_namespace, lane.last_error);
  if (!server_.closed())
    behind(server_.ready_at(), wish_state::behind_server, server_error_);
  if (slot.in_flight)
    when.reset(); // Another write to the object is on its way.
  if (when)
    out.next_try = *when - now;
  return out;
}

} // namespace sliceferry::core
