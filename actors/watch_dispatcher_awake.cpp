// The part of the dispatcher that says who is awake: wakes and retires exporters, and lets slices wait where there is
// no room for theirs.
#include "actors/watch_dispatcher.hpp"

#include "actors/admin/metrics.hpp"
#include "actors/core/decide.hpp"
#include "actors/core/decision.hpp"
#include "actors/core/evolve.hpp"
#include "actors/core/rest_rule.hpp"
#include "actors/core/target.hpp"
#include "actors/export_log.hpp"
#include "actors/log.hpp"
#include "actors/wall_clock.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace sliceferry {

namespace {

/// Places that may change hands in one round; a round takes a second.
constexpr std::size_t changes_max = 1024;

bool holds_export(const core::memory& held) {
  return !held.over && !held.hub_uids.empty();
}

/// What is to be done about the slice, by what the clusters show. One that only has to be forgotten is as urgent as a
/// removal: it takes no time, and its record goes.
core::work_rank rank_of(const core::member_identity& identity, const inputs& seen) {
  if (core::choose_target(identity, {}, seen).what != core::goal::export_it)
    return core::work_rank::removal;
  const bool is_there = std::ranges::any_of(seen.hub, [](const hub_export& each) { return each.mine; });
  return is_there ? core::work_rank::change : core::work_rank::create;
}

} // namespace

/// The only door through which exporters wake.
void watch_dispatcher::notify(const std::string& slice_uid, tick seen_at) {
  observation seen;
  seen.now = inputs_of(slice_uid);
  seen.seen_at = seen_at;
  if (const auto found = awake_.find(slice_uid); found != awake_.end()) {
    found->second.rests = found->second.missed = false; // It may get on now.
    return send(found->second, std::move(seen), slice_uid);
  }
  const auto held = table_.kept(slice_uid);
  if (!held || core::quiet(*ports_.identity, *held, seen.now, wall_clock()))
    return nothing_owed(slice_uid);
  if (*held == core::memory{} && adopt(slice_uid, seen.now))
    return nothing_owed(slice_uid);
  if (!has_room())
    return owed_.put(slice_uid, {rank_of(*ports_.identity, seen.now), false, holds_export(*held)}, seen_at);
  owed_.remove(slice_uid);
  send(wake(slice_uid), std::move(seen), slice_uid);
}

/// Of a slice in sync, as all are where a program starts without a journal, there is only to remember what the clusters
/// show: a million actors, each for that one fact, would cost what a start must not. False: it takes an exporter.
bool watch_dispatcher::adopt(const std::string& slice_uid, const inputs& seen) {
  const auto told = core::decide_to_rest(*ports_.identity, {}, seen, wall_clock());
  if (told.empty())
    return false;
  core::memory held;
  export_log lines{ports_.identity->cluster, held};
  for (const auto& each : told) {
    held = core::evolve(std::move(held), each);
    ports_.figures->told(each);
    lines.write(seen, held.name, each);
  }
  const auto position = ports_.journal->append({{ports_.identity->cluster, slice_uid}, seen.key, told, held, true});
  if (std::ranges::any_of(told, core::is_decision))
    decided_at_ = std::max(decided_at_, position);
  table_.adopt(slice_uid, std::move(held));
  return true;
}

/// The guard must see all that may have to leave before the first one does; of what is settled it needs to know
/// nothing.
std::vector<std::string> watch_dispatcher::settle_all() {
  std::vector<std::string> unsettled;
  const auto now = wall_clock();
  table_.for_each([&](const core::slice_row& row, inputs seen) {
    const auto uid = row.uid;
    gate_.complete(uid, seen);
    const bool is_open = row.awake || gate_.concerns(uid, seen);
    const bool is_settled = !is_open && (core::quiet(*ports_.identity, row.kept, seen, now) ||
                                         (row.kept == core::memory{} && adopt(uid, seen)));
    if (is_settled)
      nothing_owed(uid);
    else
      unsettled.push_back(uid);
  });
  return unsettled;
}

void watch_dispatcher::nothing_owed(const std::string& slice_uid) {
  owed_.remove(slice_uid);
  if (refusals_.ended(slice_uid))
    show_refusals();
}

watch_dispatcher::awake_exporter& watch_dispatcher::wake(const std::string& slice_uid) {
  auto held = table_.wake(slice_uid);
  awake_exporter made;
  made.handle = spawn<slice_exporter>(exporter_ports_, slice_uid, std::move(held), decided_at_);
  made.moved = clock().now();
  return awake_.insert_or_assign(slice_uid, std::move(made)).first->second;
}

void watch_dispatcher::send(awake_exporter& exporter, observation seen, const std::string& slice_uid) {
  exporter.rank = rank_of(*ports_.identity, seen.now);
  seen.rest = exporter.rests;
  seen.number = table_.next_number(slice_uid);
  tell(this, exporter.handle, std::move(seen));
}

void watch_dispatcher::note_end(awake_exporter& exporter, const outcome& end) const {
  const auto how = end.how;
  const bool is_of_a_wish =
    how == verdict::superseded || how == verdict::taken_back || how == verdict::too_late; // and tells of no server
  if (is_of_a_wish && exporter.rests)
    return;
  exporter.refused = how == verdict::refused;
  if (is_of_a_wish)
    return;
  exporter.missed =
    how == verdict::missing || how == verdict::other_uid || (end.read && !end.slice_answered && !end.exported);
  exporter.moved = clock().now();
}

void watch_dispatcher::retire(const retire_request& asked) {
  const auto found = awake_.find(asked.slice_uid);
  if (found == awake_.end() || !table_.retire(asked.slice_uid, asked.seen, asked.held))
    return;
  decided_at_ = std::max(decided_at_, asked.decided_at);
  const auto retired = std::move(found->second);
  awake_.erase(found);
  tell_to_exit(retired.handle);
  if (!waits_still(asked.slice_uid, retired))
    nothing_owed(asked.slice_uid);
  fill_room();
  house_changed();
}

/// Of one that was asked to rest: whether anything is still owed, for which it waits from now on.
bool watch_dispatcher::waits_still(const std::string& slice_uid, const awake_exporter& rested) {
  const auto held = rested.rests ? table_.kept(slice_uid) : std::nullopt;
  if (!held)
    return false;
  const auto seen = inputs_of(slice_uid);
  if (core::quiet(*ports_.identity, *held, seen, wall_clock()))
    return false;
  owed_.rest(slice_uid, {rank_of(*ports_.identity, seen), rested.refused, holds_export(*held)}, clock().now());
  return true;
}

/// What is owed is looked up now: of all that changed while a slice waited, the newest counts.
void watch_dispatcher::fill_room() {
  while (has_room()) {
    const auto next = owed_.take(clock().now());
    if (!next)
      return;
    notify(next->slice_uid, next->since);
    if (const auto found = awake_.find(next->slice_uid); found != awake_.end())
      found->second.refused = next->marks.refused;
  }
}

/// Asks who can't get on, if some who could are waiting for a place.
void watch_dispatcher::seek_room() {
  if (owed_.size() > table_.dormant()) // Records were dropped of which nothing was left.
    owed_.keep_if([this](const std::string& uid) { return table_.knows(uid); });
  if (has_room() || asked_for_room_ != 0 || waiting_turns().all == 0)
    return;
  make_room_of_missed();
  seek_room_at(ports_.member_writer);
  seek_room_at(ports_.hub_writer);
}

void watch_dispatcher::seek_room_at(const caf::actor& writer) {
  ++asked_for_room_;
  ask(this, writer, stalled_request{ports_.identity->cluster, changes_max})
    .then(
      [this](const stalled_reply& told) {
        --asked_for_room_;
        make_room(told.works);
      },
      [this](const caf::error&) { --asked_for_room_; });
}

/// How many wait for others to give up their places, without those for whom somebody is about to.
core::wake_queue::turns watch_dispatcher::waiting_turns() const {
  auto out = owed_.ready(clock().now(), changes_max);
  auto going =
    static_cast<std::size_t>(std::ranges::count_if(awake_, [](const auto& each) { return each.second.rests; }));
  out.all -= std::min(out.all, going);
  for (auto& each : out.by_rank)
    going -= std::exchange(each, each - std::min(each, going)) - each;
  return out;
}

void watch_dispatcher::make_room(const std::vector<core::stalled_work>& stalled) {
  std::vector<core::stuck_exporter> stuck;
  for (const auto& [slice_uid, until] : stalled)
    if (const auto found = awake_.find(slice_uid); found != awake_.end() && !found->second.rests)
      stuck.push_back({slice_uid, until, found->second.moved, found->second.rank});
  for (const auto& slice_uid : core::choose_to_rest(std::move(stuck), waiting_turns(), clock().now()))
    ask_to_rest(slice_uid);
}

/// Those whose slice or export wasn't where they wrote wait for news and have no command in any writer.
void watch_dispatcher::make_room_of_missed() {
  std::vector<core::stuck_exporter> stuck;
  for (const auto& [slice_uid, exporter] : awake_)
    if (exporter.missed && !exporter.rests)
      stuck.push_back({slice_uid, clock().now(), exporter.moved, exporter.rank});
  for (const auto& slice_uid : core::choose_to_rest(std::move(stuck), waiting_turns(), clock().now()))
    ask_to_rest(slice_uid);
}

void watch_dispatcher::ask_to_rest(const std::string& slice_uid) {
  auto& exporter = awake_.at(slice_uid);
  exporter.rests = true;
  observation seen;
  seen.now = inputs_of(slice_uid);
  seen.seen_at = clock().now();
  send(exporter, std::move(seen), slice_uid);
}

void watch_dispatcher::drop(const exporter_failed& failed) {
  log::error("exporter failed, starting it again from what the clusters show",
             {{"member", ports_.identity->cluster}, {"uid", failed.slice_uid}, {"error", failed.what}});
  for (const auto& writer : {ports_.member_writer, ports_.hub_writer})
    tell(this, writer, forget_request{ports_.identity->cluster, failed.slice_uid});
  // Nobody remembers what it knew, so the journal mustn't either.
  const journal::stream_id whose{ports_.identity->cluster, failed.slice_uid};
  ports_.journal->append({whose, table_.inputs_of(failed.slice_uid).key, {}, {}, true});
  table_.died(failed.slice_uid);
  awake_.erase(failed.slice_uid);
  if (refusals_.ended(failed.slice_uid))
    show_refusals();
  failed_.push_back(failed.slice_uid); // Not at once: what throws once may throw each time.
  fill_room();
  house_changed();
}

void watch_dispatcher::show_refusals() {
  const auto subject = "member " + ports_.identity->cluster + " exports";
  const auto text = refusals_.text();
  if (text.empty())
    ports_.board->cleared(subject);
  else
    ports_.board->noted(subject, text);
}

void watch_dispatcher::count_exports() {
  const auto& waiting = owed_.count();
  export_counts counts{0, waiting.owed, waiting.withdrawing, waiting.refused, 0};
  for (const auto& [uid, exporter] : awake_)
    ++(exporter.refused                            ? counts.refused
       : exporter.rank == core::work_rank::removal ? counts.withdrawing
                                                   : counts.owed);
  counts.exported = table_.resting() - std::min(table_.resting(), waiting.exported);
  const auto elsewhere = table_.resting() + waiting.all - waiting.exported;
  counts.ignored = table_.dormant() - std::min(table_.dormant(), elsewhere);
  ports_.figures->exports(ports_.identity->cluster, counts);
  ports_.figures->exporters(ports_.identity->cluster, table_.awake(), table_.dormant(), waiting.all);
}

} // namespace sliceferry
