#pragma once
#include "actors/core/backoff.hpp"
#include "actors/core/breaker.hpp"
#include "actors/core/jitter.hpp"
#include "actors/core/key_slot.hpp"
#include "actors/core/queue_tale.hpp"
#include "actors/core/stalled_work.hpp"
#include "actors/core/token_bucket.hpp"
#include "actors/core/work.hpp"
#include "actors/core/write_lane.hpp"
#include "messages/failure.hpp"
#include "messages/outcome.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace sliceferry::core {

/// How hard a writer may press its API server. All at least 1.
struct write_limits {
  std::uint32_t qps = 200;
  std::uint32_t burst = 400;
  std::uint32_t concurrency = 64; ///< the most that is in flight together; 429s lower it for a while
};

/// What became of a wish to write.
struct submission {
  bool accepted = true;                    ///< false: too late, what it should replace has left; it was not queued
  std::optional<std::uint64_t> superseded; ///< the owner's ticket that gave way; it was never sent

  bool operator==(const submission&) const = default;
};

/// What to send now. `read`: an earlier attempt's answer was lost, so GET the object instead of writing.
struct attempt {
  work asked;
  bool read = false;
};

/// How often and how long works that could have left waited for a token.
struct limiter_waits {
  std::uint64_t count = 0;
  std::chrono::nanoseconds total{};
};

/// Says when which write leaves for one API server. Performs no I/O and reads no clock; `now` never steps back.
///
/// Laws: never two works of one key in flight; what was replaced or taken back while queued is
/// never sent; what was sent is answered by exactly one of `finished` and `refused`, after any number of `retry`
/// and `read_later`, or ends by a `retry` if its owner wished it away meanwhile. Members take turns; within one,
/// removals go before changes before creates, yet nothing starves. Every attempt and every GET takes a token. An owner
/// has at most one work waiting.
///
/// A 429 slows everything, a server that is away leaves one probe at a time, a hub namespace that is missing or
/// terminating holds up creates in it (again but for a probe), anything else only its own key.
class write_queue {
public:
  write_queue(const write_limits& limits, std::uint64_t seed);
  write_queue(const write_queue&) = delete; // entries point at each other
  write_queue& operator=(const write_queue&) = delete;

  /// Queues a work. What its owner has waiting gives way and hands on its place in the line. With
  /// `replaces`, that ticket must still be waiting, else the new work is not queued. What its owner has in flight
  /// is sent no further time, queued or not.
  ///
  /// The sixth name in a row and the repair of what is undone again and again wait of their own; what replaces such a
  /// work doesn't begin to wait anew.
  submission submit(work asked, std::optional<std::uint64_t> replaces, tick now);

  /// False: too late, the work has left or ended. If it is in flight, it is sent no further time.
  bool take_back(const work_id& id, tick now);

  /// An owner is no more, and nobody can take back what it asked for. What waits is dropped and returned; what is in
  /// flight is sent no further time. Only the GET about a lost answer still leaves: the key's next write needs it.
  std::optional<work> forget(const work_owner& owner, tick now);

  /// What leaves now, if anything. Ask until there is nothing, then again at `due`, after each
  /// `submit` and after each end.
  std::optional<attempt> next(tick now);

  /// The earliest moment at which `next` finds something if nothing new happens.
  std::optional<tick> due(tick now);

  /// Takes the token of a GET about a work in flight; returns when it may be sent.
  tick reserve(tick now);

  // The ends of an attempt. An id that isn't in flight is ignored.

  /// The work's end is known and `how` is being answered. What is sure to be asked again at once
  /// (conflict, already exists, ambiguous) leaves a back-off if it happens twice in a row.
  void finished(const work_id& id, verdict how, tick now);

  /// Refused: the work ends, and the same content waits if it is submitted again. For what the content itself is
  /// to blame, 30 s, doubling to 5 min. For a missing right (403) from 1 s on, and no longer once the same kind of
  /// write goes through for its member: an API server that has just started refuses all until it has read its roles.
  /// What is refused even then waits by itself from there on.
  void refused(const work_id& id, const failure& why, tick now);

  /// Surely not applied, and time may heal it: it stays queued and may again be replaced or taken back. True: it
  /// ends instead, taken back, since its owner wished it away while it was in flight.
  bool retry(const work_id& id, const failure& why, tick now);

  /// The write may have been applied, and the GET that would tell failed: it stays queued as a GET
  /// and can be neither replaced nor taken back.
  void read_later(const work_id& id, const failure& why, tick now);

  /// How the wishes of this owner stand.
  queue_tale tell_of(const work_owner& owner, tick now) const;

  /// Works waiting, in the order of `command`'s alternatives.
  const std::array<std::size_t, std::variant_size_v<command>>& depth() const { return depth_; }
  std::chrono::nanoseconds oldest_age(tick now) const;
  std::size_t in_flight() const { return in_flight_; }
  /// Nothing of this member waits or is in flight. Looks at all works.
  bool is_idle(const std::string& member) const;
  /// Works of this member that can't leave now and can be taken back, at most so many: what its key or a refusal holds
  /// back for a second or longer, and all that a breaker does. Those that must wait longest first, or have waited
  /// longest. What only has to wait by itself isn't among them: asked for again, it would wait anew.
  std::vector<stalled_work> stalled(const std::string& member, std::size_t at_most, tick now) const;
  std::uint32_t concurrency() const { return concurrency_; }
  /// Keys with a refused content.
  std::size_t parked() const { return parked_; }
  const limiter_waits& waits() const { return waits_; }
  bool server_open() const { return !server_.closed(); }
  /// The member's hub namespace, or the kind itself, was missing or terminating a moment ago: what is gone went with
  /// it, and by no hand that undoes single objects.
  bool was_uprooted(const std::string& member, tick now) const;
  /// Members whose hub namespace takes no creates now.
  std::vector<std::string> namespaces_open() const;

private:
  struct member_lane {
    std::string member;
    write_lane writes;
    std::optional<tick> asleep_until;
    bool awake = false;
    std::optional<tick> uprooted;              ///< when its namespace was last found missing or terminating
    std::shared_ptr<const failure> last_error; ///< the last one of its namespace, for people
  };

  using line_place = std::vector<write_entry*>::difference_type;

  write_entry* find_revocable(const work_owner& owner, std::optional<std::uint64_t> ticket);
  write_entry* find_in_flight(const work_id& id);
  void unwant(const work_owner& owner);
  tick own_delay(const command& asked, const write_entry* replaced, tick now);
  write_entry& admit(const work_owner& owner, tick now);
  void erase(write_entry& entry);

  key_slot& slot_of(const work_key& key);
  line_place leave(write_entry& entry);
  void enter(write_entry& entry, line_place place, tick now);
  void reseat(key_slot& slot, tick now);
  void keep_or_forget(key_slot& slot, tick now);
  void drop(key_slot& slot);
  void unpark(key_slot& slot);
  void release_forbidden(const write_entry& proof, tick now);

  std::size_t lane_of(const std::string& member);
  void plan(std::size_t lane, tick now);
  void advance(tick now);

  void land(write_entry& entry);
  void answered(const write_entry& entry);
  void end(write_entry& entry, tick now);
  void fall_back(write_entry& entry, const failure& why, tick now);
  void requeue(write_entry& entry, tick now);
  void throttle(const write_entry& entry, const failure& why, tick now);
  void lose_server(key_slot& slot, const failure& why, tick now);
  void back_off(key_slot& slot, const failure& why, tick now);
  wish_tale tale_of(const write_entry& entry, tick now) const;

  const write_limits limits_;
  jitter jitter_;
  token_bucket bucket_;
  breaker server_;
  std::shared_ptr<const failure> server_error_; ///< the last one that spoke against the server, for people
  std::optional<tick> uprooted_;                ///< when the kind was last found missing
  backoff throttling_;
  tick paused_until_ = tick::min();

  std::unordered_map<work_owner, std::vector<std::unique_ptr<write_entry>>> entries_;
  std::unordered_map<work_key, key_slot> slots_;
  std::multimap<tick, key_slot*> unwanted_;   ///< slots that nobody wants, by when to forget them
  std::unordered_set<key_slot*> unavailable_; ///< those backing off because the server seemed away
  std::unordered_set<key_slot*> forbidden_;   ///< those parked for want of a right
  std::deque<member_lane> lanes_;
  std::unordered_map<std::string, std::size_t> lane_index_;
  std::set<std::size_t> awake_;                   ///< lanes that have something to send now
  std::set<std::pair<tick, std::size_t>> asleep_; ///< lanes that will, by when
  std::size_t last_lane_ = 0;

  std::uint64_t orders_ = 0;
  std::uint64_t attempts_ = 0;
  std::uint64_t slowed_at_ = 0; ///< the newest attempt that had left when concurrency was last halved
  std::uint32_t concurrency_;
  std::uint32_t healthy_ = 0; ///< answers without a 429 since concurrency last moved
  std::size_t in_flight_ = 0;

  std::array<std::size_t, std::variant_size_v<command>> depth_{};
  std::multiset<tick> waiting_since_;
  std::size_t parked_ = 0;
  limiter_waits waits_;
  std::optional<tick> token_missed_;
};

} // namespace sliceferry::core
