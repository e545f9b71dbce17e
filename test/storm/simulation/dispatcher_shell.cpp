#include "test/storm/simulation/dispatcher_shell.hpp"

#include "actors/core/decide.hpp"
#include "messages/overloaded.hpp"
#include "test/storm/simulation/process.hpp"

#include <chrono>
#include <utility>

namespace sliceferry::storm {

dispatcher_shell::dispatcher_shell(process& whole)
  : whole_(whole), table_(whole.identity()),
    read_delays_({std::chrono::seconds(1), std::chrono::seconds(30)}, whole.number()) {}

void dispatcher_shell::take(dispatcher_mail mail) {
  std::visit(overloaded{
               [this](watch_batch<endpoint_slice>& x) { take(as_wired(x)); },
               [this](watch_batch<service_export>& x) { notify(table_.consents(as_wired(x)), x.read_at); },
               [this](watch_batch<slice_export>& x) { notify(table_.exports(as_wired(x)), x.read_at); },
               [this](const write_answer& x) { take(x); },
               [this](const retire_request& x) { retire(x); },
               [this](const exporter_failed& x) { drop(x); },
               [this](const read_turn& x) { read_slice(x.suspect); },
               [this](const moment_due&) { keep_house(); },
               [this](const call_ended& x) { judge(x.asked.suspect, x.end); },
             },
             mail);
}

/// What the wiring makes of a batch: nothing, unless a bug is planted.
template <class T>
const watch_batch<T>& dispatcher_shell::as_wired(watch_batch<T>& seen) {
  if (whole_.has(defect::spares_absent)) {
    for (const auto& told : seen.events)
      if (told.change == watch_change::applied)
        heard_of_.insert(told.object.key);
    seen.unreadable.assign(heard_of_.begin(), heard_of_.end());
  }
  return seen;
}

void dispatcher_shell::take(const watch_batch<endpoint_slice>& seen) {
  const auto whom = table_.slices(seen);
  for (const auto& told : seen.events) {
    if (told.change == watch_change::init)
      proof_.list_began();
    if (told.change != watch_change::init_done)
      continue;
    for (const auto& suspect : proof_.list_done())
      notify(table_.confirm(suspect, table_.uid_listed(suspect)), seen.read_at);
  }
  notify(whom, seen.read_at);
  prove({{}, proof_.must_relist()});
}

void dispatcher_shell::take(const write_answer& answer) {
  if (whole_.has(defect::forgets_superseded) && answer.how == verdict::superseded)
    return;
  auto effect = table_.answered(answer);
  if (const auto found = awake_.find(answer.slice_uid); found != awake_.end()) {
    observation seen;
    seen.now = inputs_of(answer.slice_uid);
    if (!whole_.has(defect::forgets_outcome) || answer.how != verdict::ambiguous)
      seen.ended = std::move(effect.end);
    seen.seen_at = whole_.now();
    send(found->second, std::move(seen), answer.slice_uid);
  } else {
    notify(answer.slice_uid, whole_.now());
  }
  notify(effect.others, whole_.now());
}

void dispatcher_shell::notify(const core::touched& whom, tick seen_at) {
  if (whom.all) {
    for (const auto& uid : table_.uids())
      notify(uid, seen_at);
  } else {
    for (const auto& uid : whom.uids)
      notify(uid, seen_at);
  }
  prove(proof_.add(table_.take_leftovers(whole_.now())));
  house_changed();
}

inputs dispatcher_shell::inputs_of(const std::string& slice_uid) {
  auto out = table_.inputs_of(slice_uid);
  if (whole_.has(defect::acts_before_sync)) {
    out.slices_synced = out.consents_synced = out.hub_synced = true;
    out.consent_proven = out.says == consent::absent;
  }
  const bool is_synced = out.slices_synced && out.consents_synced && out.hub_synced;
  if (whole_.has(defect::moves_since) && is_synced && out.slice && told_of_.insert(slice_uid).second) {
    auto forgotten = *out.slice;
    forgotten.ours.timestamp.reset();
    out.slice = std::make_shared<const endpoint_slice>(std::move(forgotten));
  }
  return out;
}

void dispatcher_shell::notify(const std::string& slice_uid, tick seen_at) {
  observation seen;
  seen.now = inputs_of(slice_uid);
  seen.seen_at = seen_at;
  if (const auto found = awake_.find(slice_uid); found != awake_.end())
    return send(found->second, std::move(seen), slice_uid);
  const auto held = table_.kept(slice_uid);
  const bool is_quiet = held && core::quiet(*whole_.identity(), *held, seen.now, whole_.wall());
  if (held && (!is_quiet || whole_.has(defect::rewrites_on_echo)))
    send(wake(slice_uid), std::move(seen), slice_uid);
}

std::uint64_t dispatcher_shell::wake(const std::string& slice_uid) {
  const auto exporter = whole_.spawn_exporter(slice_uid, table_.wake(slice_uid));
  awake_.insert_or_assign(slice_uid, exporter);
  return exporter;
}

void dispatcher_shell::send(std::uint64_t exporter, observation seen, const std::string& slice_uid) {
  seen.number = table_.next_number(slice_uid);
  if (whole_.has(defect::retires_unheard))
    numbers_[slice_uid] = seen.number;
  whole_.tell_exporter(exporter, std::move(seen));
}

void dispatcher_shell::retire(const retire_request& asked) {
  const auto found = awake_.find(asked.slice_uid);
  const auto seen = whole_.has(defect::retires_unheard) ? numbers_[asked.slice_uid] : asked.seen;
  if (found == awake_.end() || !table_.retire(asked.slice_uid, seen, asked.held))
    return;
  whole_.end_exporter(found->second);
  awake_.erase(found);
  house_changed();
}

void dispatcher_shell::drop(const exporter_failed& failed) {
  for (const auto writer : {server::member, server::hub})
    whole_.tell_writer(writer, forget_request{{whole_.identity()->cluster, failed.slice_uid}});
  table_.died(failed.slice_uid);
  awake_.erase(failed.slice_uid);
  if (!whole_.has(defect::leaves_dead))
    failed_.push_back(failed.slice_uid);
  house_changed();
}

void dispatcher_shell::prove(core::leftover_proof::plan plan) {
  for (const auto& suspect : plan.read)
    whole_.tell_writer(server::member, read_turn_request{suspect});
  if (plan.relist)
    whole_.relist_slices();
}

void dispatcher_shell::read_slice(const core::leftover& suspect) {
  request out;
  out.what = request::call::look;
  out.suspect = suspect;
  whole_.send(std::move(out));
}

void dispatcher_shell::judge(const core::leftover& suspect, const reply& end) {
  if (end.failed && end.failed->code != errc::missing && end.failed->code != errc::namespace_missing)
    return read_failed(suspect, *end.failed);
  const auto uid_found = end.slice ? std::optional{end.slice->uid} : std::nullopt;
  proof_.answered();
  read_delays_.reset();
  notify(table_.confirm(suspect, uid_found), whole_.now());
}

void dispatcher_shell::read_failed(const core::leftover& suspect, const failure& why) {
  if (whole_.has(defect::drops_failed_reads))
    return;
  proof_.failed(suspect);
  read_again_ = whole_.now() + core::honour(why.retry_after, read_delays_.next());
  house_changed();
}

void dispatcher_shell::house_changed() {
  if (reminded_)
    return;
  reminded_ = true;
  const tick when = whole_.now() + std::chrono::seconds(1);
  whole_.tell_dispatcher_at(when, moment_due{when});
}

void dispatcher_shell::keep_house() {
  reminded_ = false;
  if (proof_.has_unread() && whole_.now() >= read_again_)
    prove(proof_.try_again());
  if (table_.has_waiting_leftovers())
    prove(proof_.add(table_.take_leftovers(whole_.now())));
  for (const auto& uid : std::exchange(failed_, {}))
    notify(uid, whole_.now());
  if (proof_.has_unread() || table_.has_waiting_leftovers() || !awake_.empty())
    house_changed();
}

} // namespace sliceferry::storm
