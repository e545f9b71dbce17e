#include "actors/watch_dispatcher.hpp"

#include "actors/list_bracket.hpp"
#include "actors/log.hpp"
#include "actors/wire.hpp"
#include "k8s/decode.hpp"
#include "k8s/resource.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace sliceferry {

/// Tells the guards of a list that begins, before what it shows is asked about. True if the list that is open then ends
/// within the batch.
template <class T>
bool watch_dispatcher::begin_list(core::mirrored which, const watch_batch<T>& seen) {
  const auto lists = bracket_of(seen);
  if (lists.begins) {
    gate_.absence_guard().list_began(which);
    former_list_began(which);
  }
  return lists.ends;
}

watch_dispatcher::watch_dispatcher(caf::actor_config& config, dispatcher_ports ports)
  : caf::event_based_actor(config), ports_(std::move(ports)), table_(ports_.identity),
    gate_(ports_.identity, ports_.guard),
    read_delays_({std::chrono::seconds(1), std::chrono::seconds(30)}, ports_.identity->seed),
    guard_delays_({std::chrono::seconds(1), std::chrono::seconds(30)}, ports_.identity->seed + 1) {
  for (const auto& each : ports_.former)
    former_.emplace(
      each.hub_nspace,
      former_share{
        each.cluster, core::former_exports{each, ports_.identity->orphan_grace}, core::guard{ports_.guard}, {}, {}});
}

caf::behavior watch_dispatcher::make_behavior() {
  exporter_ports_ = std::make_shared<exporter_ports>(
    exporter_ports{ports_.identity, this, ports_.member_writer, ports_.hub_writer, ports_.journal, ports_.figures});
  if (ports_.leaving)
    leave();
  return {
    [this](const slices_read& seen) { take(seen); },
    [this](const consents_read& seen) { take(seen); },
    [this](const exports_read& seen) { take(seen); },
    [this](const write_answer& answer) { take(answer); },
    [this](const retire_request& asked) { retire(asked); },
    [this](const exporter_failed& failed) { drop(failed); },
    [this](const memories_recalled& kept) { recall(kept); },
    [this](const memories_put& put) { tell_memories(put.what); },
    [this](const memories_due& rest) { tell_memories(rest); },
    [this](const read_turn& turn) {
      if (const auto waiting = turns_.extract(turn.number))
        waiting.mapped()();
    },
    [this](const moment_due& moment) { keep_house(moment.when); },
    [this](const order_given& given) { take(given.what); },
    [this](const question_put& put) { take(put); },
  };
}

void watch_dispatcher::on_exit() {
  for (const auto& [uid, exporter] : awake_)
    tell_to_exit(exporter.handle);
  awake_.clear();
  turns_.clear();
  exporter_ports_.reset();
  ports_ = {};
}

void watch_dispatcher::take(const consents_read& seen) {
  const auto lists = begin_list(core::mirrored::consents, *seen.batch);
  notify(table_.consents(*seen.batch), seen.batch->read_at);
  note_synced(core::mirrored::consents, input::serviceexports);
  end_list(core::mirrored::consents, lists);
}

void watch_dispatcher::take(const exports_read& seen) {
  if (seen.hub_nspace != ports_.identity->hub_nspace)
    return take_former(seen);
  const auto lists = begin_list(core::mirrored::exports, *seen.batch);
  gate_.saw(*seen.batch);
  const auto whom = table_.exports(*seen.batch);
  if (table_.take_hub_restored()) {
    log::warning("the hub was restored from a backup", {{"member", ports_.identity->cluster}});
    gate_.hub_restored();
  }
  notify(whom, seen.batch->read_at);
  note_synced(core::mirrored::exports, input::hub_exports);
  end_list(core::mirrored::exports, lists);
}

void watch_dispatcher::take(const slices_read& seen) {
  const auto lists = begin_list(core::mirrored::slices, *seen.batch);
  auto whom = table_.slices(*seen.batch);
  for (const auto& told : seen.batch->events) {
    former_saw_slices(told.change);
    if (told.change == watch_change::init)
      proof_.list_began();
    if (told.change != watch_change::init_done)
      continue;
    // All at once: the guard must see how many they are before the first one leaves.
    for (const auto& suspect : proof_.list_done())
      std::ranges::move(table_.confirm(suspect, table_.uid_listed(suspect)).uids, std::back_inserter(whom.uids));
  }
  notify(whom, seen.batch->read_at);
  note_synced(core::mirrored::slices, input::endpointslices);
  prove({{}, proof_.must_relist()});
  end_list(core::mirrored::slices, lists);
}

void watch_dispatcher::take(const write_answer& answer) {
  if (former_ended(answer))
    return;
  const auto moment = clock().now();
  gate_.answered(table_, answer, moment);
  auto effect = table_.answered(answer);
  obey_if_any(gate_.consider(table_, {answer.slice_uid}, moment));
  if (const auto found = awake_.find(answer.slice_uid); found != awake_.end()) {
    note_end(found->second, effect.end);
    observation seen;
    seen.now = inputs_of(answer.slice_uid);
    seen.ended = std::move(effect.end);
    seen.seen_at = moment;
    if (refusals_.answered(seen.now.key, answer))
      show_refusals();
    send(found->second, std::move(seen), answer.slice_uid);
  } else {
    notify(answer.slice_uid, moment); // Its exporter died meanwhile; the object in the answer is news all the same.
  }
  notify(effect.others, moment);
  doubt(effect);
}

/// A restored backup leaves watches in silence. Only the lists tell what the cluster holds now.
void watch_dispatcher::doubt(const core::answer_effect& effect) {
  if (effect.relist_member) {
    ports_.relist(core::mirrored::slices);
    ports_.relist(core::mirrored::consents);
  }
  if (effect.relist_hub)
    ports_.relist(core::mirrored::exports);
  if (effect.relist_member || effect.relist_hub)
    log::warning("answers contradict the watch, listing again",
                 {{"member", ports_.identity->cluster}, {"server", effect.relist_hub ? "hub" : "member"}});
}

inputs watch_dispatcher::inputs_of(const std::string& slice_uid) const {
  auto out = table_.inputs_of(slice_uid);
  gate_.complete(slice_uid, out);
  return out;
}

void watch_dispatcher::notify(const core::touched& whom, tick seen_at) {
  if (!table_.decides()) // The last of the first lists touches all slices.
    return house_changed();
  if (whom.all) {
    owed_.keep_if([this](const std::string& uid) { return table_.knows(uid); });
    return notify({false, settle_all()}, seen_at);
  }
  obey_if_any(gate_.consider(table_, whom.uids, clock().now()));
  for (const auto& uid : whom.uids)
    notify(uid, seen_at);
  suspect_leftovers();
  house_changed();
}

void watch_dispatcher::suspect_leftovers() {
  auto found = table_.take_leftovers(clock().now());
  gate_.suspected(found, clock().now());
  prove(proof_.add(std::move(found)));
}

void watch_dispatcher::prove(core::leftover_proof::plan plan) {
  for (const auto& suspect : plan.read)
    in_turn([this, suspect] { read_slice(suspect); });
  if (plan.relist)
    ports_.relist(core::mirrored::slices);
}

/// Reads when the member's limiter allows it: no request of ours goes past it.
void watch_dispatcher::in_turn(std::function<void()> read) {
  turns_.emplace(++turn_, std::move(read));
  tell(this, ports_.member_writer, read_turn_request{turn_, this});
}

void watch_dispatcher::read_slice(const core::leftover& suspect) {
  k8s::http_request request;
  request.target = k8s::object_path(k8s::endpoint_slices, suspect.slice);
  request.counted = true; // each turn is for one request
  ask(this, ports_.member_gateway, http_call{std::move(request)})
    .then([this, suspect](const http_reply& reply) { judge(suspect, reply); },
          [this, suspect](const caf::error&) { read_failed(suspect, {}); });
}

void watch_dispatcher::judge(const core::leftover& suspect, const http_reply& reply) {
  std::optional<std::string> uid_found;
  const auto failed = failure_of_read(reply.end);
  if (!failed) {
    const auto slice = k8s::decode_object<endpoint_slice>(reply.end->body);
    if (!slice)
      return read_failed(suspect, slice.error());
    uid_found = slice->uid;
  } else if (failed->code != errc::missing && failed->code != errc::namespace_missing) {
    return read_failed(suspect, *failed);
  }
  proof_.answered();
  read_delays_.reset();
  notify(table_.confirm(suspect, uid_found), clock().now());
}

void watch_dispatcher::read_failed(const core::leftover& suspect, const failure& why) {
  proof_.failed(suspect);
  read_again_ = clock().now() + core::honour(why.retry_after, read_delays_.next());
  house_changed();
}

/// Here, and not where bytes arrive: an input is synced once its consumer has taken the list.
void watch_dispatcher::note_synced(core::mirrored collection, input which) {
  if (!table_.synced(collection) || !noted_.insert(which).second)
    return;
  ports_.board->set(ports_.identity->cluster, which, sync_state::synced);
}

void watch_dispatcher::house_changed(std::chrono::seconds in) {
  const auto when = clock().now() + in;
  if (reminder_ && *reminder_ <= when)
    return;
  reminder_ = when;
  tell_after(this, in, caf::actor{this}, moment_due{when});
}

void watch_dispatcher::keep_house(tick when) {
  if (reminder_ != when)
    return; // An earlier one has come meanwhile.
  reminder_.reset();
  if (proof_.has_unread() && clock().now() >= read_again_)
    prove(proof_.try_again());
  if (table_.has_waiting_leftovers())
    suspect_leftovers();
  for (const auto& uid : std::exchange(failed_, {}))
    notify(uid, clock().now());
  for (const auto& uid : gate_.review(table_, clock().now()))
    notify(uid, clock().now());
  obey_if_any(gate_.absence_guard().review(clock().now()));
  look_again();
  seek_room();
  sweep_former();
  show_standings();
  show_leave();
  // Not when the order comes: what exporters sent before they heard of it must have reached the writer.
  const bool leaves = table_.is_leaving() && !hub_writer_idle_;
  if (leaves && table_.leave_progress().done)
    ask_whether_idle();
  const bool is_guarding = gate_.absence_guard().state() != core::guard_state::open;
  if (leaves || has_former_left() || proof_.has_unread() || table_.has_waiting_leftovers() || is_guarding ||
      !awake_.empty() || !owed_.empty())
    house_changed();
  else if (gate_.is_busy())
    house_changed(std::chrono::seconds(10));
  count_exports();
}

} // namespace sliceferry
