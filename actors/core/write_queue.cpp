#include "actors/core/write_queue.hpp"

#include <algorithm>
#include <iterator>

namespace sliceferry::core {

namespace {

using namespace std::chrono_literals;

constexpr unsigned server_tolerance = 3;
constexpr std::chrono::nanoseconds name_retry_delay = 5s;
constexpr backoff_limits undone_backoff{1s, 5min};      ///< from the second time on
constexpr std::chrono::nanoseconds failures_kept = 30s; ///< after the last one, when nobody asks again
constexpr std::chrono::nanoseconds parking_kept = 5min; ///< after it has run out, so that a late asker goes on doubling

/// How long a command waits because something fights us over its object.
std::chrono::nanoseconds own_wait(const command& what) {
  if (const auto* annotate = std::get_if<annotate_slice>(&what))
    return annotate->retry ? name_retry_delay : 0ns;
  const auto* apply = std::get_if<apply_export>(&what);
  return apply && apply->undone > 1 ? longest_wait(undone_backoff, apply->undone - 1) : 0ns;
}

} // namespace

write_queue::write_queue(const write_limits& limits, std::uint64_t seed)
  : limits_(limits), jitter_(seed), bucket_(limits.qps, limits.burst), server_(server_tolerance, jitter_.next()),
    throttling_(throttle_backoff, jitter_.next()), concurrency_(limits.concurrency) {}

submission write_queue::submit(work asked, std::optional<std::uint64_t> replaces, tick now) {
  const work_owner owner{asked.member, asked.slice_uid};
  write_entry* entry = find_revocable(owner, replaces);
  unwant(owner);
  if (replaces && !entry)
    return {false, std::nullopt};
  submission out;
  const tick own = own_delay(asked.what, entry, now);
  key_slot& slot = slot_of(key_of(asked));
  auto place = static_cast<line_place>(slot.waiting.size());
  if (entry) {
    out.superseded = entry->asked.ticket;
    key_slot& before = *entry->slot;
    const line_place left = leave(*entry);
    if (&before == &slot) {
      place = left;
    } else {
      reseat(before, now);
      keep_or_forget(before, now);
    }
  } else {
    entry = &admit(owner, now);
  }
  entry->rank = rank_of(asked.what);
  entry->slot = &slot;
  entry->own_delay = own;
  entry->asked = std::move(asked);
  enter(*entry, place, now);
  return out;
}

bool write_queue::take_back(const work_id& id, tick now) {
  write_entry* entry = find_revocable(id.owner, id.ticket);
  if (!entry) {
    if (write_entry* left = find_in_flight(id))
      left->unwanted = true;
    return false;
  }
  leave(*entry);
  end(*entry, now);
  return true;
}

std::optional<work> write_queue::forget(const work_owner& owner, tick now) {
  unwant(owner);
  write_entry* entry = find_revocable(owner, std::nullopt);
  if (!entry)
    return std::nullopt;
  work dropped = entry->asked;
  leave(*entry);
  end(*entry, now);
  return dropped;
}

std::optional<attempt> write_queue::next(tick now) {
  advance(now);
  if (awake_.empty() || in_flight_ >= concurrency_ || now < paused_until_ || !server_.allows(now))
    return std::nullopt;
  if (!bucket_.take(now)) {
    if (!token_missed_) {
      token_missed_ = now;
      ++waits_.count;
    }
    return std::nullopt;
  }
  if (token_missed_)
    waits_.total += now - *token_missed_;
  token_missed_.reset();

  const auto turn = awake_.upper_bound(last_lane_);
  last_lane_ = turn == awake_.end() ? *awake_.begin() : *turn;
  write_entry& entry = *lanes_[last_lane_].writes.pick(now, !server_.closed());
  entry.slot->seated = nullptr;
  leave(entry);
  plan(last_lane_, now);
  entry.in_flight = true;
  entry.slot->in_flight = true;
  entry.sent = ++attempts_;
  ++in_flight_;
  server_.sent();
  return attempt{entry.asked, entry.unread};
}

std::optional<tick> write_queue::due(tick now) {
  advance(now);
  const auto server = server_.ready_at();
  if (!server || in_flight_ >= concurrency_ || (awake_.empty() && asleep_.empty()))
    return std::nullopt;
  const tick when = awake_.empty() ? asleep_.begin()->first : now;
  return std::max({when, paused_until_, *server, bucket_.ready_at()});
}

tick write_queue::reserve(tick now) {
  const tick asked = std::max(now, paused_until_);
  const tick when = bucket_.reserve(asked);
  if (when > asked) {
    ++waits_.count;
    waits_.total += when - asked;
  }
  return when;
}

std::chrono::nanoseconds write_queue::oldest_age(tick now) const {
  return waiting_since_.empty() ? 0ns : now - *waiting_since_.begin();
}

bool write_queue::is_idle(const std::string& member) const {
  return std::none_of(entries_.begin(), entries_.end(), [&](const auto& each) { return each.first.member == member; });
}

std::vector<stalled_work> write_queue::stalled(const std::string& member, std::size_t at_most, tick now) const {
  std::vector<stalled_work> out;
  const auto found = lane_index_.find(member);
  if (found == lane_index_.end() || at_most == 0)
    return out;
  const write_lane& lane = lanes_[found->second].writes;
  lane.show_held_up(server_open(), [&](const write_entry& entry) {
    tick until = std::max(entry.slot->held_until(entry), now);
    const bool is_cut_off = server_open() || (entry.rank == work_rank::create && !lane.creates.closed());
    if (!is_cut_off && until - now < 1s)
      return true;
    for (const breaker* each : {&server_, &lane.creates})
      if (!each->closed() && (each == &server_ || entry.rank == work_rank::create))
        until = std::max(until, each->ready_at().value_or(now)); // none while a probe is out
    out.push_back({entry.asked.slice_uid, until});
    return out.size() < at_most;
  });
  return out;
}

std::vector<std::string> write_queue::namespaces_open() const {
  std::vector<std::string> out;
  for (const member_lane& lane : lanes_)
    if (!lane.writes.creates.closed())
      out.push_back(lane.member);
  return out;
}

write_entry* write_queue::find_revocable(const work_owner& owner, std::optional<std::uint64_t> ticket) {
  const auto found = entries_.find(owner);
  if (found != entries_.end())
    for (const auto& entry : found->second)
      if (entry->revocable() && (!ticket || *ticket == entry->asked.ticket))
        return entry.get();
  return nullptr;
}

write_entry* write_queue::find_in_flight(const work_id& id) {
  const auto found = entries_.find(id.owner);
  if (found != entries_.end())
    for (const auto& entry : found->second)
      if (entry->in_flight && entry->asked.ticket == id.ticket)
        return entry.get();
  return nullptr;
}

void write_queue::unwant(const work_owner& owner) {
  const auto found = entries_.find(owner);
  if (found != entries_.end())
    for (const auto& entry : found->second)
      entry->unwanted = entry->in_flight;
}

tick write_queue::own_delay(const command& asked, const write_entry* replaced, tick now) {
  const auto wait = own_wait(asked);
  if (wait == 0ns)
    return tick::min();
  return replaced && own_wait(replaced->asked.what) > 0ns ? replaced->own_delay : now + jitter_.shortened(wait);
}

write_entry& write_queue::admit(const work_owner& owner, tick now) {
  write_entry& entry = *entries_[owner].emplace_back(std::make_unique<write_entry>());
  entry.queued_at = now;
  entry.order = ++orders_;
  return entry;
}

void write_queue::erase(write_entry& entry) {
  const auto found = entries_.find({entry.asked.member, entry.asked.slice_uid});
  std::erase_if(found->second, [&](const auto& held) { return held.get() == &entry; });
  if (found->second.empty())
    entries_.erase(found);
}

key_slot& write_queue::slot_of(const work_key& key) {
  const auto [found, fresh] = slots_.try_emplace(key);
  key_slot& slot = found->second;
  if (fresh) {
    slot.key = &found->first;
    slot.lane = lane_of(key.member);
  }
  if (slot.unwanted)
    unwanted_.erase(*slot.unwanted);
  slot.unwanted.reset();
  return slot;
}

/// Out of the key's line; returns the place that it had there.
write_queue::line_place write_queue::leave(write_entry& entry) {
  key_slot& slot = *entry.slot;
  if (slot.seated == &entry) {
    lanes_[slot.lane].writes.remove(entry);
    slot.seated = nullptr;
  }
  const auto at = std::find(slot.waiting.begin(), slot.waiting.end(), &entry);
  const line_place place = at - slot.waiting.begin();
  slot.waiting.erase(at);
  waiting_since_.erase(waiting_since_.find(entry.queued_at));
  --depth_[entry.asked.what.index()];
  return place;
}

void write_queue::enter(write_entry& entry, line_place place, tick now) {
  key_slot& slot = *entry.slot;
  slot.waiting.insert(slot.waiting.begin() + place, &entry);
  waiting_since_.insert(entry.queued_at);
  ++depth_[entry.asked.what.index()];
  reseat(slot, now);
}

/// Lets the right one of those who want this key compete in its lane, and nobody while one is in flight.
void write_queue::reseat(key_slot& slot, tick now) {
  write_lane& lane = lanes_[slot.lane].writes;
  if (slot.seated)
    lane.remove(*slot.seated);
  slot.seated = slot.in_flight ? nullptr : slot.next_in_line(now);
  if (slot.seated)
    lane.add(*slot.seated, slot.eligible_at(*slot.seated), now);
  plan(slot.lane, now);
}

/// A key that nobody wants any more is remembered only as long as what it remembers matters.
void write_queue::keep_or_forget(key_slot& slot, tick now) {
  if (slot.in_flight || !slot.waiting.empty() || slot.unwanted)
    return;
  tick until = tick::min();
  if (slot.failures > 0)
    until = std::max(slot.not_before, now) + failures_kept;
  if (slot.parked)
    until = std::max(until, slot.parked->until + parking_kept);
  if (until > now)
    slot.unwanted = unwanted_.emplace(until, &slot);
  else
    drop(slot);
}

void write_queue::drop(key_slot& slot) {
  if (slot.unwanted)
    unwanted_.erase(*slot.unwanted);
  unpark(slot);
  unavailable_.erase(&slot);
  slots_.erase(slots_.find(*slot.key));
}

void write_queue::unpark(key_slot& slot) {
  if (slot.parked)
    --parked_;
  slot.parked.reset();
  forbidden_.erase(&slot);
}

std::size_t write_queue::lane_of(const std::string& member) {
  const auto [found, fresh] = lane_index_.try_emplace(member, lanes_.size());
  if (fresh)
    lanes_.push_back({member, write_lane(jitter_.next()), std::nullopt, false, std::nullopt, nullptr});
  return found->second;
}

/// Notes when the lane next has something to send; due after each change to it.
void write_queue::plan(std::size_t lane, tick now) {
  member_lane& changed = lanes_[lane];
  if (changed.asleep_until)
    asleep_.erase({*changed.asleep_until, lane});
  changed.asleep_until.reset();
  const auto wake = changed.writes.wake();
  const bool awake = wake && *wake <= now;
  if (awake && !changed.awake)
    awake_.insert(lane);
  else if (!awake && changed.awake)
    awake_.erase(lane);
  changed.awake = awake;
  if (wake && !awake) {
    asleep_.emplace(*wake, lane);
    changed.asleep_until = wake;
  }
}

void write_queue::advance(tick now) {
  while (!asleep_.empty() && asleep_.begin()->first <= now)
    plan(asleep_.begin()->second, now);
  while (!unwanted_.empty() && unwanted_.begin()->first <= now)
    drop(*unwanted_.begin()->second);
}

} // namespace sliceferry::core
