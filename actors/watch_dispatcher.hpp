#pragma once
#include "actors/admin/readiness.hpp"
#include "actors/core/backoff.hpp"
#include "actors/core/former_exports.hpp"
#include "actors/core/former_streams.hpp"
#include "actors/core/gatekeeper.hpp"
#include "actors/core/leftover_proof.hpp"
#include "actors/core/member_table.hpp"
#include "actors/core/refusals.hpp"
#include "actors/core/wake_queue.hpp"
#include "actors/mail.hpp"
#include "actors/slice_exporter.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace sliceferry {

class control_desk;
class metrics;

/// What a member's dispatcher needs; the same for all its life.
struct dispatcher_ports {
  std::shared_ptr<const core::member_identity> identity;
  caf::actor member_gateway;
  caf::actor member_writer;
  caf::actor hub_writer;
  std::function<void(core::mirrored)> relist; ///< asks for one more consistent list of that input
  core::guard_limits guard;
  std::vector<core::former_identity> former; ///< the names that the member had before
  bool leaving = false;                      ///< from the start
  std::size_t awake_max = 50'000;            ///< the most exporters that are awake together; at least 1
  journal::journal_port* journal = nullptr;  ///< these outlive the actor system
  metrics* figures = nullptr;
  readiness* board = nullptr;
  control_desk* desk = nullptr;
};

/// Joins what is seen of one member (slices, ServiceExports, its exports on the hub, the writers'
/// answers) and tells the exporters of the slices concerned. It alone knows who is awake.
///
/// The shell of `core::member_table`, which decides whom news concerns, what is an echo and whose an
/// export is, and of `core::gatekeeper`, which gives leave to withdraw on an absence. An exporter is woken only if
/// something is owed and there is room, and put to sleep when it asks and has seen everything.
class watch_dispatcher : public caf::event_based_actor {
public:
  watch_dispatcher(caf::actor_config& config, dispatcher_ports ports);

  const char* name() const override { return "watch_dispatcher"; }
  caf::behavior make_behavior() override;
  void on_exit() override;

private:
  struct awake_exporter {
    caf::actor handle;
    bool refused = false;                           ///< its last command was
    core::work_rank rank = core::work_rank::create; ///< of what it is about, by what it was last told
    bool rests = false;                             ///< it was asked to give up its place, and no news came since
    bool missed = false; ///< its last command met no such object, and no news came since: it may be waiting for some
    tick moved{};        ///< when it woke, or its last command ended
  };

  /// Where to look, and for which object if its name isn't enough.
  struct place {
    std::string target; ///< empty: there is nothing to look for
    std::string uid{};
    std::string or_at{};     ///< where to look if the kind isn't served there
    bool was_ending = false; ///< the watch showed the object as it ends
  };

  /// A read that the guard ordered. It is done until it is answered, each time in turn.
  struct guard_read {
    core::guard* whose = nullptr;
    std::uint64_t check = 0; ///< that guard's, by number
    std::string wish{};      ///< the slice whose absence is asked about, if one is
    std::function<place()> where;
    std::function<core::guard::orders(core::existence)> tell_it;
  };

  /// What is known of one former name of the member, and the deletes that are out: tickets by hub UID. In the hub's
  /// writer its cluster id stands for its namespace, as a member's name does.
  struct former_share {
    std::string cluster;
    core::former_exports exports;
    core::guard guard; ///< its own: what it left behind is no measure for the member's exports, nor they for it
    std::unordered_map<std::string, std::uint64_t> out;
    core::former_streams told; ///< to the journal, of what is out
  };

  /// How the member's guard and those of its former names stand together.
  struct guards_summary {
    core::guard_state state = core::guard_state::open; ///< the worst
    std::size_t held = 0;
    std::string text;
  };

  /// What is found out about the slices of a question, one after the other.
  struct inquiry {
    std::shared_ptr<const slice_question> asked;
    std::vector<std::string> left; ///< UIDs
    member_told told;
    core::memory held{}; ///< of the slice whose turn it is, like the next
    core::activity runs{};
  };

  void recall(const memories_recalled& kept);
  void tell_memories(const std::shared_ptr<const memories_question>& asked);
  void tell_memories(const memories_due& rest);
  void take(const slices_read& seen);
  void take_former(const exports_read& seen);
  bool former_ended(const write_answer& answer);
  void former_saw_slices(watch_change told);
  void former_list_began(core::mirrored which);
  void former_list_ended(core::mirrored which);
  void list_ended(former_share& former, core::mirrored which);
  void allow_former();
  void sweep_former();
  void sweep(former_share& former);
  std::uint64_t write_down(const former_share& former, const core::former_streams::addition& made);
  bool has_former_left() const;
  std::string former_awaited() const;
  guards_summary guards() const;
  void in_turn(std::function<void()> read);
  void take(const consents_read& seen);
  void take(const exports_read& seen);
  template <class T>
  bool begin_list(core::mirrored which, const watch_batch<T>& seen);
  void end_list(core::mirrored which, bool ends);
  void take(operator_order told);
  void take(const question_put& put);
  void explain_next(const std::shared_ptr<inquiry>& about);
  void ask_writers(const std::shared_ptr<inquiry>& about);
  void explain(inquiry& about);
  void take(const write_answer& answer);
  void doubt(const core::answer_effect& effect);
  void obey(const core::guard::orders& told);
  void obey_if_any(const core::guard::orders& told);
  void obey(core::guard& whose, const core::guard::orders& told);
  void obey_if_any(core::guard& whose, const core::guard::orders& told);
  inputs inputs_of(const std::string& slice_uid) const;
  void suspect_leftovers();
  place what_is_absent(const std::string& slice_uid) const;
  place what_is_absent_of_former(const std::string& slice_uid) const;
  void look_at(const guard_read& what);
  void look_at(const guard_read& what, const place& where);
  void looked_at(const guard_read& what, const place& where, const http_reply& reply);
  void look_later(const guard_read& what, std::optional<std::chrono::seconds> retry_after);
  void look_again();
  void leave();
  void show_standings();
  void show_hands();
  void show_leave();
  void ask_whether_idle();
  void notify(const core::touched& whom, tick seen_at);
  void notify(const std::string& slice_uid, tick seen_at);
  awake_exporter& wake(const std::string& slice_uid);
  void send(awake_exporter& exporter, observation seen, const std::string& slice_uid);
  void note_end(awake_exporter& exporter, const outcome& end) const;
  bool has_room() const { return awake_.size() < ports_.awake_max; }
  bool waits_still(const std::string& slice_uid, const awake_exporter& rested);
  bool adopt(const std::string& slice_uid, const inputs& seen);
  /// Looks at each slice once. Those of which more is to be done than to remember what the clusters show are returned.
  std::vector<std::string> settle_all();
  void nothing_owed(const std::string& slice_uid);
  void fill_room();
  void seek_room();
  void seek_room_at(const caf::actor& writer);
  void make_room(const std::vector<core::stalled_work>& stalled);
  void make_room_of_missed();
  core::wake_queue::turns waiting_turns() const;
  void ask_to_rest(const std::string& slice_uid);
  void retire(const retire_request& asked);
  void drop(const exporter_failed& failed);
  void show_refusals();
  void prove(core::leftover_proof::plan plan);
  void read_slice(const core::leftover& suspect);
  void judge(const core::leftover& suspect, const http_reply& reply);
  void read_failed(const core::leftover& suspect, const failure& why);
  void note_synced(core::mirrored collection, input which);
  void house_changed(std::chrono::seconds in = std::chrono::seconds(1));
  void keep_house(tick when);
  void count_exports();

  dispatcher_ports ports_;
  core::member_table table_;
  core::gatekeeper gate_;
  core::leftover_proof proof_;
  std::shared_ptr<const exporter_ports> exporter_ports_;
  std::unordered_map<std::string, awake_exporter> awake_; ///< by slice UID
  core::wake_queue owed_;                                 ///< those that wait for room
  std::size_t asked_for_room_ = 0;                        ///< writers that haven't answered yet
  std::uint64_t decided_at_ = 0;    ///< where in the journal the last decision is of those whose exporters retired
  core::refusals refusals_;         ///< of those awake or waiting
  std::set<input> noted_;           ///< inputs that readiness knows to be synced
  std::vector<std::string> failed_; ///< slices whose exporters threw; started again a little later
  core::backoff read_delays_;       ///< of reads about leftovers
  std::map<std::string, former_share> former_;           ///< by hub namespace
  std::map<std::uint64_t, std::function<void()>> turns_; ///< reads that wait for their token
  std::uint64_t turn_ = 0;
  tick read_again_{};
  std::vector<guard_read> unread_; ///< of the guard's reads, those that failed
  core::backoff guard_delays_;     ///< of these
  tick look_again_{};
  tick search_again_{}; ///< not before, lest questions take all our time
  std::optional<tick> reminder_;
  core::guard_state guard_was_ = core::guard_state::open; ///< as last logged
  bool was_alarmed_ = false;
  bool hub_writer_idle_ = false; ///< seen once no export was left of a member that leaves
};

} // namespace sliceferry
