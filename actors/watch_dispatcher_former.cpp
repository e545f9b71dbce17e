// The part of the dispatcher that takes away what the member left behind under former names.
#include "actors/watch_dispatcher.hpp"

#include "actors/core/former_target.hpp"
#include "actors/list_bracket.hpp"
#include "actors/log.hpp"
#include "k8s/resource.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry {

namespace {

/// Deletes that are out together; more are asked for once half of them have ended.
constexpr std::size_t out_max = 64;

} // namespace

void watch_dispatcher::take_former(const exports_read& seen) {
  const auto found = former_.find(seen.hub_nspace);
  if (found == former_.end())
    return;
  auto& former = found->second;
  const auto lists = bracket_of(*seen.batch);
  if (lists.begins)
    former.guard.list_began(core::mirrored::exports);
  former.exports.exports(*seen.batch);
  if (lists.ends)
    list_ended(former, core::mirrored::exports);
  house_changed();
}

void watch_dispatcher::former_saw_slices(watch_change told) {
  for (auto& [nspace, former] : former_) {
    if (told == watch_change::init)
      former.exports.slices_began();
    else if (told == watch_change::init_done)
      former.exports.slices_done();
  }
}

/// Their guards look at the former namespaces in place of the member's own.
void watch_dispatcher::former_list_began(core::mirrored which) {
  if (which != core::mirrored::exports)
    for (auto& [nspace, former] : former_)
      former.guard.list_began(which);
}

void watch_dispatcher::former_list_ended(core::mirrored which) {
  if (which != core::mirrored::exports)
    for (auto& [nspace, former] : former_)
      list_ended(former, which);
}

void watch_dispatcher::list_ended(former_share& former, core::mirrored which) {
  sweep(former); // What the list refutes no longer wishes.
  obey_if_any(former.guard, former.guard.list_done(which, table_.is_without_slices(), clock().now()));
}

void watch_dispatcher::allow_former() {
  for (auto& [nspace, former] : former_)
    obey(former.guard, former.guard.allow(clock().now()));
}

bool watch_dispatcher::former_ended(const write_answer& answer) {
  for (auto& [nspace, former] : former_) {
    const auto found = former.out.find(answer.slice_uid);
    if (found == former.out.end() || found->second != answer.ticket)
      continue;
    if (auto told = former.told.end(answer.slice_uid, answer.how, former.exports.find(answer.slice_uid) != nullptr))
      write_down(former, *told);
    former.exports.ended(answer.slice_uid, answer.how);
    if (answer.how != verdict::too_late)
      former.out.erase(found);
    if (former.out.size() == out_max / 2)
      sweep(former);
    return true;
  }
  return false;
}

void watch_dispatcher::sweep_former() {
  for (auto& [nspace, former] : former_) {
    sweep(former);
    obey_if_any(former.guard, former.guard.review(clock().now()));
  }
}

void watch_dispatcher::sweep(former_share& former) {
  auto& guard = former.guard;
  const auto moment = clock().now();
  const auto plan = former.exports.due(
    [this](const core::leftover& each) { return core::former_target(*ports_.identity, table_, each); },
    [&](const std::string& slice_uid) { return guard.leave(slice_uid); }, moment, out_max);
  for (const auto& each : plan.withdraw) {
    former.out[each.hub_uid] = ++turn_;
    const auto* const of = former.exports.find(each.hub_uid);
    const auto position = of == nullptr ? 0 : write_down(former, former.told.begin(*of, each));
    tell(this, ports_.hub_writer, submission{former.cluster, each.hub_uid, turn_, std::nullopt, each, this, position});
    log::info("withdrawing an export of a former name", {{"member", ports_.identity->cluster},
                                                         {"former_name", former.cluster},
                                                         {"unique_name", each.name},
                                                         {"reason", std::string(to_string(each.why))}});
  }
  for (const auto& hub_uid : plan.take_back)
    if (const auto found = former.out.find(hub_uid); found != former.out.end())
      tell(this, ports_.hub_writer, take_back_request{former.cluster, hub_uid, found->second, this});
  if (plan.relist)
    ports_.relist(core::mirrored::slices);
  obey_if_any(guard, guard.forget(plan.forget, moment));
  if (!plan.wishes.empty())
    obey_if_any(guard, guard.ask(plan.wishes, former.exports.left(), moment));
}

std::uint64_t watch_dispatcher::write_down(const former_share& former, const core::former_streams::addition& made) {
  return ports_.journal->append({{former.cluster, made.slice_uid}, made.slice, made.told, made.after, made.begins});
}

/// Nothing, if no former export refers to the slice any more.
watch_dispatcher::place watch_dispatcher::what_is_absent_of_former(const std::string& slice_uid) const {
  for (const auto& [nspace, former] : former_)
    if (const auto slice = former.exports.slice_of(slice_uid))
      return {k8s::object_path(k8s::endpoint_slices, *slice), slice_uid};
  return {};
}

bool watch_dispatcher::has_former_left() const {
  return std::ranges::any_of(
    former_, [](const auto& each) { return !each.second.exports.synced() || each.second.exports.left() != 0; });
}

/// What a member that leaves waits for besides, to be appended to a sentence; empty if nothing.
std::string watch_dispatcher::former_awaited() const {
  std::string out;
  for (const auto& [nspace, former] : former_)
    if (!former.exports.synced())
      out += ", waiting for the list of exports in " + nspace + " (former name " + former.cluster + ')';
  return out;
}

watch_dispatcher::guards_summary watch_dispatcher::guards() const {
  const auto& own = gate_.absence_guard();
  guards_summary out{own.state(), own.held(), own.text()};
  for (const auto& [nspace, former] : former_) {
    const auto& each = former.guard;
    if (each.state() == core::guard_state::open)
      continue;
    auto text = "former name " + former.cluster + " of " + ports_.identity->cluster + ": " + each.text();
    out.text = out.state == core::guard_state::open ? std::move(text) : out.text + "; " + text;
    out.state = std::max(out.state, each.state());
    out.held += each.held();
  }
  return out;
}

} // namespace sliceferry
