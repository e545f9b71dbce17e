#include "actors/core/write_queue.hpp"

#include <algorithm>

namespace sliceferry::core {

namespace {

using namespace std::chrono_literals;

constexpr backoff_limits parking_backoff{30s, 5min};
constexpr backoff_limits right_backoff{1s, 5min};
constexpr std::chrono::nanoseconds uprooted_for =
  1min; ///< all that was lost is there again by then, or has failed anew

} // namespace

void write_queue::finished(const work_id& id, verdict how, tick now) {
  write_entry* entry = find_in_flight(id);
  if (!entry)
    return;
  land(*entry);
  answered(*entry);
  key_slot& slot = *entry->slot;
  slot.not_before = tick::min();
  switch (how) {
    case verdict::conflict:
    case verdict::already_exists:
    case verdict::ambiguous:
      // The exporter asks again at once. The first time that is right; a hook that breaks every
      // request would make it a loop.
      if (++slot.failures > 1)
        slot.not_before = now + jitter_.up_to(longest_wait(key_backoff, slot.failures - 1));
      break;
    case verdict::done:
      release_forbidden(*entry, now);
      [[fallthrough]];
    case verdict::missing:
    case verdict::other_uid:
    case verdict::namespace_missing:
    case verdict::refused:
    case verdict::superseded:
    case verdict::taken_back:
    case verdict::too_late:
      slot.failures = 0;
      slot.last_error.reset();
      unpark(slot);
      break;
  }
  end(*entry, now);
}

void write_queue::refused(const work_id& id, const failure& why, tick now) {
  write_entry* entry = find_in_flight(id);
  if (!entry)
    return;
  land(*entry);
  answered(*entry);
  key_slot& slot = *entry->slot;
  slot.failures = 0;
  slot.not_before = tick::min();
  slot.last_error = std::make_shared<const failure>(why);
  const std::uint64_t digest = content_digest(entry->asked.what);
  const bool of_right = why.code == errc::forbidden;
  const bool again = slot.parked && slot.parked->digest == digest && slot.parked->of_right == of_right;
  const unsigned refusals = again ? slot.parked->refusals + 1 : 1;
  const bool freed = again && slot.parked->freed;
  parked_ += slot.parked ? 0 : 1;
  const auto wait = jitter_.shortened(longest_wait(of_right ? right_backoff : parking_backoff, refusals));
  slot.parked = key_slot::parking{digest, of_right, refusals, now + wait, entry->rank, freed};
  if (of_right && !freed) // Refused while others pass: it lacks a right of its own, and theirs prove nothing.
    forbidden_.insert(&slot);
  else
    forbidden_.erase(&slot);
  end(*entry, now);
}

/// A write went through, and so the right to such writes is there: whoever waits for it need not.
void write_queue::release_forbidden(const write_entry& proof, tick now) {
  std::vector<key_slot*> freed;
  for (key_slot* slot : forbidden_)
    if (slot != proof.slot && slot->lane == proof.slot->lane && slot->parked->rank == proof.rank)
      freed.push_back(slot);
  for (key_slot* slot : freed) {
    forbidden_.erase(slot);
    slot->parked->until = now;
    slot->parked->freed = true;
    reseat(*slot, now);
  }
}

bool write_queue::retry(const work_id& id, const failure& why, tick now) {
  write_entry* entry = find_in_flight(id);
  if (!entry)
    return false;
  fall_back(*entry, why, now);
  const bool ends = entry->unwanted && !entry->unread;
  if (ends)
    end(*entry, now);
  else
    requeue(*entry, now);
  return ends;
}

void write_queue::read_later(const work_id& id, const failure& why, tick now) {
  write_entry* entry = find_in_flight(id);
  if (!entry)
    return;
  entry->unread = true;
  fall_back(*entry, why, now);
  requeue(*entry, now);
}

void write_queue::land(write_entry& entry) {
  entry.in_flight = false;
  entry.slot->in_flight = false;
  --in_flight_;
}

/// The server has answered, and not with a 429.
void write_queue::answered(const write_entry& entry) {
  server_.succeeded();
  unavailable_.erase(entry.slot);
  if (entry.rank == work_rank::create && !entry.unread)
    lanes_[entry.slot->lane].writes.creates.succeeded();
  if (++healthy_ < concurrency_)
    return;
  healthy_ = 0;
  concurrency_ = std::min(concurrency_ + 1, limits_.concurrency);
  throttling_.reset();
}

void write_queue::end(write_entry& entry, tick now) {
  key_slot& slot = *entry.slot;
  erase(entry);
  reseat(slot, now);
  keep_or_forget(slot, now);
}

/// Notes what a failed attempt says of the server, the namespace and the key.
void write_queue::fall_back(write_entry& entry, const failure& why, tick now) {
  land(entry);
  key_slot& slot = *entry.slot;
  const auto told = std::make_shared<const failure>(why);
  slot.last_error = told;
  breaker& creates = lanes_[slot.lane].writes.creates;
  const bool creating = entry.rank == work_rank::create;
  bool of_namespace = false;
  if (why.code == errc::kind_missing)
    uprooted_ = now;
  if (why.code == errc::namespace_missing || why.code == errc::namespace_terminating)
    lanes_[slot.lane].uprooted = now;
  switch (why.code) {
    case errc::throttled:
      server_.succeeded();
      server_error_ = told;
      throttle(entry, why, now);
      break;
    case errc::unavailable:
    case errc::unauthorized:
    case errc::kind_missing: // a writer writes one kind only: without it the server is of no use
    case errc::ambiguous:    // of a GET: no answer came
      server_error_ = told;
      lose_server(slot, why, now);
      break;
    case errc::namespace_missing:
    case errc::namespace_terminating:
      server_.succeeded();
      of_namespace = creating && !entry.unread;
      lanes_[slot.lane].last_error = told;
      if (!of_namespace)
        back_off(slot, why, now);
      break;
    case errc::expired:
    case errc::conflict:
    case errc::already_exists:
    case errc::other_uid:
    case errc::missing:
    case errc::forbidden:
    case errc::quota:
    case errc::invalid:
    case errc::malformed:
      server_.succeeded();
      back_off(slot, why, now);
      break;
  }
  if (of_namespace)
    creates.failed(now, why.retry_after);
  else if (creating)
    creates.inconclusive(now);
}

bool write_queue::was_uprooted(const std::string& member, tick now) const {
  const auto lately = [now](const std::optional<tick>& when) { return when && now - *when < uprooted_for; };
  const auto found = lane_index_.find(member);
  return lately(uprooted_) || (found != lane_index_.end() && lately(lanes_[found->second].uprooted));
}

void write_queue::requeue(write_entry& entry, tick now) {
  // To the end of its rank, so that the next probe is somebody else's; but still the first of its key.
  entry.order = ++orders_;
  entry.own_delay = tick::min();
  enter(entry, 0, now);
}

/// Halves concurrency once per round: the 429s of what had left before the cut say nothing about it.
void write_queue::throttle(const write_entry& entry, const failure& why, tick now) {
  std::chrono::nanoseconds own = 0ns;
  if (entry.sent > slowed_at_) {
    slowed_at_ = attempts_;
    concurrency_ = std::max(concurrency_ / 2, 1U);
    healthy_ = 0;
    own = throttling_.next();
  }
  paused_until_ = std::max(paused_until_, now + honour(why.retry_after, own));
}

/// While the server's breaker is open its probes set the pace; no key has a wait of its own, so
/// that all go on as soon as the server is back.
void write_queue::lose_server(key_slot& slot, const failure& why, tick now) {
  const bool first = server_.closed();
  if (why.code == errc::unauthorized)
    server_.open(now, why.retry_after);
  else
    server_.failed(now, why.retry_after);
  if (server_.closed()) {
    back_off(slot, why, now);
    unavailable_.insert(&slot);
    return;
  }
  slot.failures = 0;
  slot.not_before = tick::min();
  if (!first)
    return;
  unavailable_.erase(&slot);
  for (key_slot* other : unavailable_) {
    other->failures = 0;
    other->not_before = tick::min();
    reseat(*other, now);
  }
  unavailable_.clear();
}

void write_queue::back_off(key_slot& slot, const failure& why, tick now) {
  ++slot.failures;
  slot.not_before = now + honour(why.retry_after, jitter_.up_to(longest_wait(key_backoff, slot.failures)));
}

} // namespace sliceferry::core
